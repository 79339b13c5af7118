// The line that a pupil sends back, "Mastermind FOXBEE 1122 3415 5131 5151 #BKBWXPX": the game, the word of the class, the
// guesses, and a seal. It is read from whatever people paste.
import { filterSecrets, isEnd } from "./engine.mjs";
import { fold, normalize } from "../../player/js/tgt_text.mjs";
import { CLASS_WORD } from "./challenge.mjs";
import { nameShared, pickCode } from "./share.mjs";
import { digest, gameKey } from "./store.mjs";

// Digits to the base 16 that make no words. Two are the ticket, one the hints; four are a check sum of everything.
const SIGNS = "bcdfghjkmnprstwx";
const SEAL = new RegExp(`#([${SIGNS}]{7})`, "g");
const WORD = new RegExp(`(?=(${CLASS_WORD}))`, "g");
// Below it a guess is good.
const LEAST = 0.1;

const sealLine = (tree, word, known, guesses) => {
  const sum = digest([gameKey(tree), word, known, ...guesses].join(" ")).slice(0, 4);
  return known + sum.replace(/./g, (digit) => SIGNS[parseInt(digit, 16)]);
};

export const writeLine = (tree, { word, ticket, moves, hinted }) => {
  const guesses = moves.map(([guess]) => guess);
  const known = SIGNS[ticket >> 4] + SIGNS[ticket & 15] + SIGNS[Math.min(15, hinted.length)];
  return [nameShared(tree), word, ...guesses.map(tree.game.writeCode),
    `#${sealLine(tree, word, known, guesses).toUpperCase()}`].join(" ");
};

// A text without spaces, quotes and the like, in one case, and where each sign of it stood. `signs` are kept, too.
const skim = (text, signs = new Set()) => {
  const places = [];
  let kept = "";
  for (const { 0: sign, index } of text.matchAll(/./gsu))
    if (sign !== "\ufe0f" && (signs.has(sign) || /[\p{L}\p{M}\p{N}#]/u.test(sign))) {
      kept += fold(sign);
      while (places.length < kept.length) places.push(index);
    }
  return [kept, places];
};

// The codes of a game by their texts, how long these are, and the signs in them.
const knownBooks = new WeakMap();
const bookOf = (game) => {
  if (!knownBooks.has(game)) {
    const texts = game.codes.map((_, code) => normalize(game.writeCode(code)));
    const signs = new Set(texts.join(""));
    const codes = new Map();
    texts.forEach((text, code) => {
      const [short] = skim(text, signs);
      codes.set(short, [...codes.get(short) ?? [], code]);
    });
    knownBooks.set(game, { codes, signs, lengths: [...new Set([...codes.keys()].map((text) => text.length))] });
  }
  return knownBooks.get(game);
};

// All ways to read guesses in a text; few games have more than one. `tries` are left.
function* readGuesses(book, text, tries = { left: 10_000 }) {
  if (!text) yield [];
  for (const length of text ? book.lengths : [])
    for (const code of book.codes.get(text.slice(0, length)) ?? []) {
      if (!tries.left--) return;
      for (const others of readGuesses(book, text.slice(length), tries)) yield [code, ...others];
    }
}

// What stands in a text: lines, [{ word, guesses, hints }], each once, how many came again, and the texts of those
// that are damaged.
export const readLines = (tree, pasted) => {
  const whole = normalize(pasted);
  const book = bookOf(tree.game);
  const [text, places] = skim(whole, book.signs);
  const words = [...text.matchAll(WORD)].map(({ index }) => index);
  const isBegun = (at) => book.lengths.some((length) => book.codes.has(text.slice(at + 6, at + 6 + length)));
  const damaged = [];
  const lines = new Map();
  let [nAgain, from] = [0, 0];

  const name = (begin, end) => damaged.push(whole.slice(places[begin], places[end - 1] + 1).replace(/\s+/g, " "));
  // Lines that lost their ends.
  const nameBegun = (end) => {
    for (const at of words.filter((one) => one >= from && one + 6 <= end && isBegun(one))) {
      const next = words.find((one) => one >= at + 6) ?? text.length;
      name(at, Math.min(next, end, at + 30));
    }
  };
  const readFrom = (begin, end, seal) => {
    const word = text.slice(begin, begin + 6).toUpperCase();
    for (const guesses of readGuesses(book, text.slice(begin + 6, end)))
      if (sealLine(tree, word, seal.slice(0, 3), guesses) === seal)
        return { word, guesses, hints: SIGNS.indexOf(seal[2]), begin };
    return undefined;
  };

  for (const { 1: seal, index } of text.matchAll(SEAL)) {
    const begins = words.filter((at) => at >= from && at + 6 <= index).reverse();
    const line = begins.map((at) => readFrom(at, index, seal)).find(Boolean);
    const begin = line?.begin ?? begins[0] ?? Math.max(from, index - 20);
    nameBegun(begin);
    from = index + 8;
    if (!line) name(begin, from);
    else if (lines.size === lines.set([line.word, seal, line.guesses].join(), line).size) nAgain++;
  }
  nameBegun(text.length);
  return { lines: [...lines.values()], nAgain, damaged };
};

// The game of a line: its code, its moves, and after how many guesses the code was found, 0 if it was not.
export const playLine = (tree, { word, guesses }) => {
  const secret = pickCode(tree, word);
  const moves = guesses.map((guess) => [guess, tree.game.respond(guess, secret)]);
  let left = tree.root.candidates;
  const ends = moves.map((move) => {
    left = filterSecrets(tree.game, [move], left);
    return isEnd(tree.game, move[1], left.length);
  });
  return { secret, moves, length: ends.indexOf(true) + 1 };
};

// Guesses of some games that may be the nicest mistake, { moves, number }, the moves up to it, in how many games:
// those that fit every answer before them, and so look right.
export const listFitting = ({ game, root }, games) => {
  const found = new Map();
  for (const { moves: all } of games) {
    let left = root.candidates;
    all.forEach((move, at) => {
      const moves = all.slice(0, at + 1);
      const number = (found.get(moves.join())?.number ?? 0) + 1;
      if (left.includes(move[0])) found.set(moves.join(), { moves, number });
      left = filterSecrets(game, [move], left);
    });
  }
  return [...found.values()];
};

// The nicest mistake of those that were judged: what costs the most, then what more made, then the earlier, then the
// lower codes.
export const findNicest = (judged) => judged.filter(({ cost }) => cost >= LEAST).sort((a, b) =>
  b.cost - a.cost || b.number - a.number || a.moves.length - b.moves.length
    || a.moves.map(([guess], at) => guess - b.moves[at][0]).find(Boolean))[0];
