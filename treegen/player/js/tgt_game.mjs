// Games from a .tgt table as people play them: codes as colors or words, feedback as pegs, undo.
//
//     const player = new Player(bytes);      // or: await Player.load("p4c6r-knuth.tgt")
//     player.guess                           // "1122", null when the game is won
//     player.answer(black, white)            // the next guess; a RangeError where no secret
//     player.undo()                          // answers so, and nothing has changed
//     player.before                          // of a table that starts mid-game, the guesses made
//                                            // before and their answers: [["1122", "02"]]

import { START, openTable } from "./tgt_player.mjs";

const SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MAX_POSITION_PEGS = 9;
const MAX_PEGS = 1000;
const MAX_COLORS = 1000;

// Say what a game's description means; throw an Error where it does not fit the counts.
const readGame = ([kind, ...parameters], nCodes, nResponses) => {
  const families = { pegs: readPegs, codebook: readCodebook, arrangements: readArrangements };
  if (!Object.hasOwn(families, kind)) throw Error(`bad table: unknown game ${kind}`);
  const game = families[kind](...parameters);
  const { nPegs, nColors = 1, repetition = 0 } = game;
  if (!isCount(nPegs, MAX_PEGS) || !isCount(nColors, MAX_COLORS) || repetition > 1)
    throw Error("bad table: the game is out of range");
  if (countCodes(game) !== nCodes || countResponses(game) !== nResponses)
    throw Error("bad table: the counts are not the game's");
  return game;
};

const isCount = (value, most) => Number.isInteger(value) && value > 0 && value <= most;

const readPegs = (nPegs, nColors, repetition, rule, ...others) => {
  if (others.length || !Number.isInteger(repetition) || rule === "position")
    throw Error("bad table: the game is damaged");
  return { nPegs, nColors, repetition, rule };
};

const readCodebook = (rule, nPegs, nSecrets, words, ...others) => {
  const characters = typeof words === "string" && !others.length ? [...words] : [];
  if (!isCount(nSecrets, characters.length / nPegs))
    throw Error("bad table: the codebook is damaged");
  return { nPegs, rule, characters };
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
const colorsOf = (game, code) => {
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

const writeCode = (game, code) => {
  const colors = colorsOf(game, code);
  if (game.characters) return colors.join("");
  const first = game.repetition ? 1 : 0;
  return game.nColors > 35
    ? colors.map((color) => first + color).join(".")
    : colors.map((color) => SYMBOLS[first + color]).join("");
};

// A response as people write it: 02, or 3 where black pegs are told alone, or marks 01020.
const writeResponse = ({ nPegs, rule }, response) => {
  if (rule === "position") return response.toString(3).padStart(nPegs, "0");
  if (rule === "black") return `${response}`;
  const countBefore = (black) => (black * (2 * nPegs + 3 - black)) / 2;
  let black = nPegs;
  if (response !== countBefore(nPegs) - 1) while (countBefore(black) > response) black--;
  const white = black < nPegs ? response - countBefore(black) : 0;
  return `${black}${nPegs > 9 ? "." : ""}${white}`;
};

// Throw an Error where the values of a start are no pairs in range.
const checkStart = (start, nCodes, nResponses) => {
  const isRight = (value, i) => Number.isInteger(value) && value < (i % 2 ? nResponses : nCodes);
  if (!Array.isArray(start) || start.length % 2 || !start.every(isRight))
    throw Error("bad table: the start is damaged");
};

// Response of black and white pegs, of black pegs, or of marks 01020; -1 where there is none.
const responseOf = ({ nPegs, rule }, first, white = 0) => {
  if (rule === "position")
    return RegExp(`^[012]{${nPegs}}$`).test(first) ? parseInt(first, 3) : -1;
  const isSmall = Number.isInteger(first) && Number.isInteger(white) && first >= 0 && white >= 0;
  if (!isSmall || first + white > nPegs || (first === nPegs - 1 && white === 1)) return -1;
  if (rule === "black") return white ? -1 : first;
  return (first * (2 * nPegs + 3 - first)) / 2 + white - (first === nPegs ? 1 : 0);
};

export class Player {
  #table;
  #states;

  constructor(data) {
    this.#table = openTable(data);
    const { game, start, meta, nCodes, nResponses } = this.#table;
    this.game = readGame(game, nCodes, nResponses);
    checkStart(start, nCodes, nResponses);
    this.meta = Object.fromEntries(meta.map((_, i) => meta.slice(2 * i, 2 * i + 2)).slice(0, 4));
    this.restart();
  }

  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw Error(`${url}: ${response.status}`);
    return new Player(await response.arrayBuffer());
  }

  get code() {
    const state = this.#states.at(-1);
    return state && this.#table.guess(state);
  }

  get guess() {
    return this.code === null ? null : writeCode(this.game, this.code);
  }

  get colors() {
    return this.code === null ? null : colorsOf(this.game, this.code);
  }

  get before() {
    const { start } = this.#table;
    return Array.from({ length: start.length / 2 }, (_, i) => [
      writeCode(this.game, start[2 * i]),
      writeResponse(this.game, start[2 * i + 1]),
    ]);
  }

  restart() {
    this.#states = [START];
  }

  answer(...feedback) {
    return this.respond(responseOf(this.game, ...feedback));
  }

  respond(response) {
    const state = this.#states.at(-1);
    const next = state ? this.#table.answer(state, response) : undefined;
    if (next === undefined) throw new RangeError("no secret answers so");
    this.#states.push(next);
    return this.guess;
  }

  undo() {
    if (this.#states.length > 1) this.#states.pop();
  }
}
