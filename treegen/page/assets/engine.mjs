// The rules of a game as its table describes them: codes, responses, what a guess tells.
// Runs in the page, in its worker and in node.
import { fold, splitLetters } from "../../player/js/tgt_text.mjs";
import { scorerOf } from "./scores.mjs";

export const PEG_NAMES = [
  "vermilion", "blue", "yellow", "green", "pink", "sky", "orange", "violet", "brown", "grey",
];

export const count = (number) => number.toLocaleString("en-US");

export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

// Hebrew and Arabic are read from right to left.
export const readsLeftward = ({ symbols }) => /[א-\u08ff]/.test(symbols);

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// All rows of nPegs colors, in lexicographic order, with no color more often than its limit.
const makeCodes = (nPegs, limits) => {
  let rows = [[]];
  for (let peg = 0; peg < nPegs; peg++) {
    const longer = [];
    for (const row of rows)
      for (let color = 0; color < limits.length; color++)
        if (limits[color] >= nPegs || row.filter((other) => other === color).length < limits[color])
          longer.push([...row, color]);
    rows = longer;
  }
  return rows;
};

const writeSymbols = (nColors, first) =>
  Array.from({ length: nColors }, (_, color) =>
    nColors <= 35 ? ALPHABET[color + first] : String(color + first));

const describePegs = ([, nPegs, nColors, repeats, rule, ...others]) => {
  const codes = makeCodes(nPegs, Array(nColors).fill(repeats ? nPegs : 1));
  const title = `${nPegs} pegs, ${nColors} colors, ${repeats ? "duplicates" : "no duplicates"}`;
  const symbols = writeSymbols(nColors, repeats ? 1 : 0);
  const isSymmetric = others.length === 0;
  return { nPegs, rule, symbols, codes, nSecrets: codes.length, title, isSymmetric, repeats: !!repeats };
};

const describeArrangements = ([, ...counts]) => {
  const nPegs = counts.reduce((sum, count) => sum + count, 0);
  const codes = makeCodes(nPegs, counts);
  const symbols = writeSymbols(counts.length, 1);
  const title = `arrangements of ${counts.join(" + ")} pegs`;
  return { nPegs, rule: "black", symbols, codes, nSecrets: codes.length, title };
};

const describeCodebook = ([kind, rule, nPegs, nSecrets, text]) => {
  const isSpelled = kind === "letters"; // some have several code points
  const letters = isSpelled ? text.split(/[\n ]/) : [...text];
  const symbols = [...new Set(letters)].sort((a, b) => a.codePointAt() - b.codePointAt() || (a < b ? -1 : 1));
  const codes = [];
  for (let at = 0; at < letters.length; at += nPegs)
    codes.push(letters.slice(at, at + nPegs).map((letter) => symbols.indexOf(letter)));
  const words = nSecrets === 1 ? "1 word" : `${nSecrets.toLocaleString("en-US")} words`;
  const title = `${words} of ${nPegs} letter${nPegs === 1 ? "" : "s"}${rule === "pegs" ? ", black and white pins" : ""}`;
  return { nPegs, rule, symbols, codes, nSecrets, title, isSpelled, noun: "word" };
};

const FAMILIES = {
  pegs: describePegs, codebook: describeCodebook, letters: describeCodebook, arrangements: describeArrangements,
};

const pegRule = (nPegs) => {
  const indexOf = (black, white) =>
    black === nPegs
      ? ((nPegs + 1) * (nPegs + 2)) / 2 - 2
      : black * (nPegs + 1) - (black * (black - 1)) / 2 + white;
  const marksOf = (response) => {
    if (response === indexOf(nPegs, 0)) return [nPegs, 0];
    let black = 0;
    for (; response > nPegs - black; black++) response -= nPegs - black + 1;
    return [black, response];
  };
  const responseOf = ([black, white]) =>
    black + white > nPegs || (black === nPegs - 1 && white === 1)
      ? undefined
      : indexOf(black, white);
  const write = (response) => marksOf(response).join(nPegs > 9 ? "." : "");
  return { nResponses: indexOf(nPegs, 0) + 1, marksOf, responseOf, write };
};

const blackRule = (nPegs) => ({
  nResponses: nPegs + 1,
  marksOf: (response) => [response, 0],
  responseOf: ([black, white]) => (white ? undefined : black),
  write: String,
});

const positionRule = (nPegs) => ({
  nResponses: 3 ** nPegs,
  marksOf: (response) => [...response.toString(3).padStart(nPegs, "0")].map(Number),
  responseOf: (marks) => marks.reduce((response, mark) => 3 * response + mark, 0),
  write: (response) => response.toString(3).padStart(nPegs, "0"),
});

// The goal of a game stands behind its rules; without one a game is won by guessing the code.
const GOAL = "goal identify";
const splitGoal = (description) => {
  const isIdentify = description.at(-1) === GOAL && (!["codebook", "letters"].includes(description[0]) || description.length > 5);
  return [isIdentify ? description.slice(0, -1) : description, isIdentify];
};

const RULES = { pegs: pegRule, black: blackRule, position: positionRule };

// Whether symbols can be written without anything between them: each is one letter, and none makes one
// letter with its neighbor. The rule is that of treegen/games/text.py. Few need the segmenter, slow to load.
const areJoined = (symbols) => {
  if (symbols.every((symbol) => /^[\0-\u02ff]$/.test(symbol))) return true;
  const turned = [...symbols].reverse();
  const twice = symbols.flatMap((symbol) => [symbol, symbol]);
  return [symbols, turned, twice].every((row) => splitLetters(row.join("")).join("\n") === row.join("\n"));
};

// Whether symbols may be shown as capitals: no two have the same one.
const haveCapitals = (symbols) => {
  const capitals = symbols.map((symbol) => symbol.toUpperCase());
  return new Set(capitals).size === symbols.length && capitals.every((one, at) => fold(one) === fold(symbols[at])
    && one.length === symbols[at].length);
};

export const makeGame = (whole) => {
  const [description, isIdentify] = splitGoal(whole);
  const family = FAMILIES[description[0]];
  if (!family) throw Error(`this page does not know games of the kind ${description[0]}`);
  const game = family(description);
  const rule = RULES[game.rule](game.nPegs);
  let byText;
  const separator = game.isSpelled || areJoined(game.symbols) ? "" : ".";
  const made = {
    noun: "code",
    ...game,
    ...rule,
    title: `${game.title}${game.rule === "black" ? ", black only" : ""}${isIdentify ? ", to identify" : ""}`,
    key: JSON.stringify(whole),
    hasCapitals: haveCapitals(game.symbols),
    isIdentify,
    win: rule.nResponses - 1,
    nCodes: game.codes.length,
    respond: (guess, secret) => listResponses(made, guess, [secret])[0],
    indexOf: (colors) => (byText ??= new Map(game.codes.map((code, index) => [code.join(), index]))).get(colors.join()),
    writeCode: (code) => game.codes[code].map((color) => game.symbols[color]).join(separator),
  };
  return made;
};

const listResponses = (game, guess, secrets) => {
  const row = new Uint16Array(secrets.length);
  scorerOf(game)(guess, secrets, row);
  return row;
};

// Guesses needed in total for one or two candidates: one of them is guessed, or the one is known.
export const sumFew = (game, n) => (game.isIdentify ? 2 * (n - 1) : 2 * n - 1);

// Whether a game is over with this response, and n candidates left: none are left by contradictory answers, which
// end nothing.
export const isEnd = (game, response, n) => n > 0 && response === game.win || isKnown(game, n);

// Whether the only candidate left is announced, not guessed.
export const isKnown = (game, n) => game.isIdentify && n === 1;

export const allSecrets = (game) => [...Array(game.nSecrets).keys()];

// The secrets that agree with every [guess, response].
export const filterSecrets = (game, history, secrets = allSecrets(game)) =>
  history.reduce((left, [guess, response]) => {
    const row = listResponses(game, guess, left);
    return left.filter((_, at) => row[at] === response);
  }, secrets);

// Response -> the candidates that answer so.
export const splitBy = (game, guess, candidates) => {
  const row = listResponses(game, guess, candidates);
  const cells = new Map();
  candidates.forEach((secret, at) => {
    if (!cells.has(row[at])) cells.set(row[at], []);
    cells.get(row[at]).push(secret);
  });
  return cells;
};

// The same, responses ascending.
export const splitCandidates = (game, guess, candidates) =>
  new Map([...splitBy(game, guess, candidates)].sort(([a], [b]) => a - b));

// The answer that leaves the most candidates; of equal ones the first in the order of the game's answers.
export const answerEvilly = (game, guess, candidates) =>
  [...splitCandidates(game, guess, candidates)].reduce((most, cell) => (cell[1].length > most[1].length ? cell : most))[0];

// As few answers as possible that no secret gives together; history itself has none that does.
export const findConflict = (game, history, secrets = allSecrets(game)) => {
  let kept = [...history];
  for (const answer of history) {
    const fewer = kept.filter((other) => other !== answer);
    if (!filterSecrets(game, fewer, secrets).length) kept = fewer;
  }
  return kept.map((answer) => history.indexOf(answer));
};

// The rule of play that the name of a table's strategy states, such as Wordle's hard mode; undefined if none.
export const ruleOfPlay = ({ meta }) =>
  / eligible=(hints|consistent)(?: |$)/.exec(meta.strategy ?? "")?.[1];

// What an answer asks of later guesses in hard mode that a guess does not give.
const missingHint = (game, [earlier, response], guess) => {
  const [first, later, marks] = [game.codes[earlier], game.codes[guess], game.marksOf(response)];
  const moved = first.findIndex((color, peg) => marks[peg] === 2 && later[peg] !== color);
  if (moved >= 0) return `place ${moved + 1} must be ${game.symbols[first[moved]]}`;
  const needs = (color) => first.filter((one, peg) => one === color && marks[peg]).length;
  const lacks = (color) => later.filter((one) => one === color).length < needs(color);
  const color = first.find(lacks);
  if (color === undefined) return undefined;
  return `${game.symbols[color]} must be used${needs(color) > 1 ? ` ${needs(color)} times` : ""}`;
};

// Why a rule of play forbids a guess after a history of [guess, response]; undefined if it does not.
export const findBreach = (game, rule, history, guess) => {
  for (const [earlier, response] of rule ? history : []) {
    const past = `${game.writeCode(earlier)} was answered ${game.write(response)}`;
    const missing = rule === "hints" ? missingHint(game, [earlier, response], guess)
      : game.respond(earlier, guess) !== response && "it would be answered differently";
    if (missing) return `${past}: ${missing}`;
  }
  return undefined;
};
