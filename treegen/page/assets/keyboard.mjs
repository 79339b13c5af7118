// The keyboard of a list of words: that of the language which the list's letters show.
import { readsLeftward } from "./engine.mjs";
import { splitLetters } from "../../player/js/tgt_text.mjs";

// The keys of each language, row by row; those after a bar are there where the list has them. Of languages that fit
// equally the first is meant. Pages of words have them.
let keyboards = [];
export const openKeyboards = (lines) => {
  keyboards = lines.map((line) => {
    const [base, marked = ""] = line.split("|");
    return { rows: base.split(" "), base, all: base + marked };
  });
};

const LONGEST_ROW = 10;
const MOST_KEYS = 60;
// Of A to Z: a Turkish list may have Q, W and X, too.
const MOST_FOREIGN = 3;

// Letters that have another form at the end of a word.
const PLAIN = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ", ς: "σ" };

const unshape = (letter) => PLAIN[letter] ?? letter;

// A letter without accents, in the form that it has within a word.
export const bare = (letter) => [...letter.normalize("NFD").replace(/\p{M}/gu, "")].map(unshape).join("");

// The code of some colors; where there is none, that of the same letters in their other forms.
export const findCode = (game, colors) => {
  const code = game.indexOf(colors);
  if (code !== undefined || game.rule !== "position") return code;
  const letters = game.symbols.map(unshape);
  const found = game.codes.findIndex((one) => one.every((color, at) => letters[color] === letters[colors[at]]));
  return found < 0 ? undefined : found;
};

const isPlain = (letter) => /^[a-z]$/.test(letter);

const countLacks = (needed, has) => [...needed].filter((letter) => letter !== " " && !has.includes(letter)).length;

// The keyboard that holds all letters beyond A to Z, where no other one does, or where the list has half of its keys:
// of those the one that lacks fewest.
const findKeyboard = (letters) => {
  const special = letters.filter((letter) => splitLetters(letter).length === 1 && !isPlain(letter));
  const plain = letters.filter(isPlain);
  const found = keyboards.filter(({ all }) => !countLacks(special, all) && countLacks(plain, all) <= MOST_FOREIGN)
    .map((keyboard) => {
      const own = [...keyboard.base].filter((letter) => !isPlain(letter)).join("");
      return { ...keyboard, lacks: countLacks(own, special), lacksAny: countLacks(keyboard.base, letters) };
    });
  const [first] = [...found].sort((a, b) => a.lacks - b.lacks || a.lacksAny - b.lacksAny);
  const isShown = found.length === 1 || first && special.length >= first.lacks && letters.length >= first.lacksAny;
  return isShown ? first : undefined;
};

const cut = (keys) => {
  const rows = [];
  for (let rest = keys; rest.length; rest = rest.slice(0, -LONGEST_ROW)) rows.unshift(rest.slice(-LONGEST_ROW));
  return rows;
};

// { symbols, rows, isKeyboard }: the letters of a game and those that no word of the list has, and the keys of each
// row. Pegs are one row.
export const makeKeyboard = ({ rule, symbols }) => {
  const colors = [...symbols.keys()];
  if (rule !== "position" || colors.length > MOST_KEYS) return { symbols, rows: [colors], isKeyboard: false };
  const isDotless = symbols.some((symbol) => /[ıİ]/.test(symbol));
  const letters = symbols.map((symbol) => (isDotless ? symbol.replaceAll("I", "ı").replaceAll("İ", "i") : symbol).toLowerCase());
  const isCapital = symbols.every((symbol) => symbol === symbol.toUpperCase());
  const write = (letter) => (isCapital ? letter.toLocaleUpperCase(isDotless ? "tr" : "en") : letter);
  const keyboard = findKeyboard(letters);
  const isLatin = 2 * letters.filter(isPlain).length >= letters.length;
  const base = keyboard?.rows ?? (isLatin ? keyboards[0].rows : []);
  const known = [...letters];
  const placed = base.map((row) => [...row].map((letter) => {
    const color = known.indexOf(letter);
    const isMissing = keyboard && color < 0 && !PLAIN[letter];
    return isMissing ? known.push(write(letter)) - 1 : color;
  }).filter((color) => color >= 0));
  const others = colors.filter((color) => !placed.flat().includes(color));
  const above = cut(readsLeftward({ symbols }) ? others.reverse() : others);
  const rows = [...above, ...placed].filter((row) => row.length);
  return { symbols: [...symbols, ...known.slice(symbols.length)], rows, isKeyboard: true };
};
