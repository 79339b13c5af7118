// The rules in a table's description of its game: how codes and answers are written, how a secret
// answers a guess.

import { findName } from "./tgt_text.mjs";

const SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MAX_POSITION_PEGS = 9;
const MAX_PEGS = 1000;
const MAX_COLORS = 1000;
const MAX_ANSWERS = 65535;

// Say what a game's description means; throw an Error where it does not fit the counts. `labels` has
// the words of a table of answers that lie beside the table.
export const readGame = (description, nCodes, nResponses, labels) => {
  const [kind, ...parameters] = description[0] === "weighted" ? description.slice(3) : description;
  const announces = parameters.at(-1) === "goal identify";
  if (announces) parameters.pop();
  if (kind === "questions") {
    const game = readQuestions(nResponses, labels, ...parameters);
    if (game.nSecrets + game.nQuestions !== nCodes) throw Error("bad table: the counts");
    return { ...game, announces };
  }
  const families = { pegs: readPegs, codebook: readCodebook, arrangements: readArrangements };
  if (!Object.hasOwn(families, kind)) throw Error(`bad table: unknown game ${kind}`);
  const game = families[kind](...parameters);
  const { nPegs, nColors = 1, repetition = 0 } = game;
  if (!isCount(nPegs, MAX_PEGS) || !isCount(nColors, MAX_COLORS) || repetition > 1)
    throw Error("bad table: the game is out of range");
  if (countCodes(game) !== nCodes || countResponses(game) !== nResponses)
    throw Error("bad table: the counts are not the game's");
  return announces ? { ...game, announces } : game;
};

const isCount = (value, most) => Number.isInteger(value) && value > 0 && value <= most;

const splitLines = (text) => (text ? text.split("\n") : []);

const readQuestions = (nResponses, labels, nSecrets, nQuestions, ...texts) => {
  const most = nResponses - 1;
  const areRight = texts.length === 4 && texts.every((text) => typeof text === "string");
  const areCounts = isCount(nSecrets, 2 ** 31) && Number.isInteger(nQuestions);
  if (!areCounts || !areRight || !isCount(most, MAX_ANSWERS))
    throw Error("bad table: the questions are damaged");
  const [names, questions, lines] = texts.map(splitLines);
  const words = labels ?? { names, questions, answers: lines.map((line) => line.split("\t")) };
  const { answers } = words; // to each question, or to all, or none
  const written = [...words.names, ...words.questions];
  const isOf = (list, ...sizes) => [0, ...sizes].includes(list.length);
  if (!isOf(written, nSecrets + nQuestions) || !isOf(answers, 1, nQuestions))
    throw Error("bad table: the labels do not fit");
  if (answers.some((row) => row.length > most)) throw Error("bad table: too many answers");
  return { rule: "answers", nSecrets, nQuestions, nResponses, written, answers };
};

// The answers to a question by their responses, or to a guess, the win last.
export const listAnswers = ({ nSecrets, nQuestions, nResponses, answers }, code) => {
  const isGuess = code < nSecrets;
  if (isGuess && (nQuestions || nResponses === 2)) return ["no", "right"];
  const numbers = Array.from({ length: answers.length ? 0 : nResponses - 1 }, (_, i) => `${i}`);
  // Where there are no questions, the answers are those to a guess.
  if (isGuess) return [...(answers[0] ?? numbers), "right"];
  return answers.length ? answers[(code - nSecrets) % answers.length] : numbers;
};

// The response of an answer in the words of a question; -1 where there is none.
const answerOf = (game, code, text) => {
  const labels = listAnswers(game, code);
  const place = findName(labels, text);
  return code < game.nSecrets && place === labels.length - 1 ? game.nResponses - 1 : place;
};

const readPegs = (nPegs, nColors, repetition, rule, ...others) => {
  if (others.length || !Number.isInteger(repetition) || rule === "position")
    throw Error("bad table: the game is damaged");
  return { nPegs, nColors, repetition, rule };
};

const readCodebook = (rule, nPegs, nSecrets, words, ...others) => {
  const characters = typeof words === "string" && !others.length ? [...words] : [];
  if (!isCount(nSecrets, characters.length / nPegs))
    throw Error("bad table: the codebook is damaged");
  return { nPegs, rule, nSecrets, characters };
};

const readArrangements = (...counts) => {
  if (!counts.every((count) => isCount(count, MAX_PEGS)))
    throw Error("bad table: the counts are damaged");
  const nPegs = counts.reduce((sum, count) => sum + count, 0);
  return { nPegs, nColors: counts.length, repetition: 1, rule: "black", counts };
};

const countCodes = ({ nPegs, nColors, repetition, characters, counts }) => {
  if (characters) return characters.length / nPegs;
  let n = 1;
  if (counts) {
    let placed = 0;
    for (const count of counts)
      for (let rank = 1; rank <= count; rank++) n = (n * ++placed) / rank;
    return n;
  }
  for (let peg = 0; peg < nPegs; peg++) n *= repetition ? nColors : nColors - peg;
  return n;
};

const countResponses = ({ nPegs, rule }) =>
  ({
    pegs: ((nPegs + 1) * (nPegs + 2)) / 2 - 1,
    black: nPegs + 1,
    position: nPegs <= MAX_POSITION_PEGS ? 3 ** nPegs : NaN,
  })[rule];

// Colors of the arrangement with this rank.
const arrange = (counts, nPegs, total, code) => {
  const left = [...counts];
  const colors = [];
  for (let nLeft = nPegs; nLeft > 0; nLeft--) {
    const blocks = left.map((count) => (total * count) / nLeft);
    let color = 0;
    while (code >= blocks[color]) code -= blocks[color++];
    left[color]--;
    total = blocks[color];
    colors.push(color);
  }
  return colors;
};

// Colors of a code, from 0; of a codebook its characters.
export const colorsOf = (game, code) => {
  const { nPegs, nColors, repetition, characters, counts } = game;
  if (characters) return characters.slice(code * nPegs, (code + 1) * nPegs);
  if (counts) return arrange(counts, nPegs, countCodes(game), code);
  const digits = [];
  for (let left = 0; left < nPegs; left++) {
    const base = repetition ? nColors : nColors - nPegs + 1 + left;
    digits.unshift(code % base);
    code = Math.floor(code / base);
  }
  const free = Array.from({ length: nColors }, (_, color) => color);
  return repetition ? digits : digits.map((digit) => free.splice(digit, 1)[0]);
};

// A candidate or a question without words.
const nameCode = (code, nSecrets) =>
  code < nSecrets ? `candidate ${code + 1}` : `question ${code - nSecrets + 1}`;

export const writeCode = (game, code) => {
  const { written, nSecrets } = game;
  if (written) return written[code] ?? nameCode(code, nSecrets);
  const colors = colorsOf(game, code);
  if (game.characters) return colors.join("");
  const first = game.repetition ? 1 : 0;
  return game.nColors > 35
    ? colors.map((color) => first + color).join(".")
    : colors.map((color) => SYMBOLS[first + color]).join("");
};

// A response as people write it: 02, or 3 where only black pegs are counted, or marks 01020.
export const writeResponse = (game, response, code) => {
  const { nPegs, rule } = game;
  if (rule === "answers") return listAnswers(game, code)[response] ?? `${response}`;
  if (rule === "position") return response.toString(3).padStart(nPegs, "0");
  if (rule === "black") return `${response}`;
  const countBefore = (black) => (black * (2 * nPegs + 3 - black)) / 2;
  let black = nPegs;
  if (response !== countBefore(nPegs) - 1) while (countBefore(black) > response) black--;
  const white = black < nPegs ? response - countBefore(black) : 0;
  return `${black}${nPegs > 9 ? "." : ""}${white}`;
};

// Throw an Error where the values of a start are no pairs in range.
export const checkStart = (start, nCodes, nResponses) => {
  const isRight = (value, i) => Number.isInteger(value) && value < (i % 2 ? nResponses : nCodes);
  if (!Array.isArray(start) || start.length % 2 || !start.every(isRight))
    throw Error("bad table: the start is damaged");
};

// Response of black and white pegs, of black pegs, or of marks 01020; -1 where there is none.
export const responseOf = ({ nPegs, rule }, first, white = 0) => {
  if (rule === "position")
    return RegExp(`^[012]{${nPegs}}$`).test(first) ? parseInt(first, 3) : -1;
  const isSmall = Number.isInteger(first) && Number.isInteger(white) && first >= 0 && white >= 0;
  if (!isSmall || first + white > nPegs || (first === nPegs - 1 && white === 1)) return -1;
  if (rule === "black") return white ? -1 : first;
  return (first * (2 * nPegs + 3 - first)) / 2 + white - (first === nPegs ? 1 : 0);
};

// Response of an answer as people write it: 0 2 or 02, 3, marks 01020, or the words of a question.
export const readAnswer = (game, code, text) => {
  if (game.rule === "answers") return answerOf(game, code, text);
  if (game.rule === "position") return responseOf(game, text.trim());
  const isPegs = game.rule === "pegs";
  const words = text.split(/[\s.]+/).filter((word) => word);
  const parts = isPegs && words.length === 1 && words[0].length === 2 ? [...words[0]] : words;
  const isWhole = parts.length === (isPegs ? 2 : 1) && parts.every((part) => /^\d{1,4}$/.test(part));
  return isWhole ? responseOf(game, ...parts.map(Number)) : -1;
};

// The response of a secret to a guess, both given as colors.
export const score = ({ nPegs, rule }, guess, secret) => {
  const marks = guess.map((color, peg) => (color === secret[peg] ? 2 : 0));
  const left = secret.filter((_, peg) => !marks[peg]);
  const black = nPegs - left.length;
  if (rule === "black") return black;
  guess.forEach((color, peg) => {
    const at = marks[peg] ? -1 : left.indexOf(color);
    if (at >= 0) {
      left.splice(at, 1);
      marks[peg] = 1;
    }
  });
  if (rule === "position") return marks.reduce((index, mark) => 3 * index + mark, 0);
  return responseOf({ nPegs, rule }, black, nPegs - black - left.length);
};
