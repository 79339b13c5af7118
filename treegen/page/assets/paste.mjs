// A result as people share it, read into the moves of a game: guesses with squares or pins, or guesses alone.
import { fold, foldTurkic, normalize, splitLetters } from "../../player/js/tgt_text.mjs";
import { filterSecrets, plural, readsLeftward } from "./engine.mjs";
import { bare } from "./keyboard.mjs";

// The signs of each mark, as games of all languages write them; for high contrast green is orange, yellow is blue.
const SQUARES = ["⬛⬜⚫⚪🔲🔳◼◻◾◽🖤🤍", "🟨🟦🟪🟡🔵🟣💛💙💜", "🟩🟧🟢🟠💚🧡"];
const PINS = ["·⬜", "○⚪", "●⚫"];
// Selectors of emoji, and marks of direction.
const UNSEEN = /[\ufe0e\ufe0f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const FORMS = [(text) => text, fold, foldTurkic, (text) => bare(fold(text))];

// Finds the code that a text is: as it is written, in other capitals, without accents, where one alone is.
const makeFinder = (game) => {
  const maps = [];
  const open = (form) => {
    const map = new Map();
    game.codes.forEach((_, code) => {
      const key = form(game.writeCode(code));
      map.set(key, map.has(key) ? undefined : code);
    });
    return map;
  };
  return (text) => {
    for (const [at, form] of FORMS.slice(0, game.noun === "word" ? 4 : 2).entries()) {
      const code = (maps[at] ??= open(form)).get(form(text));
      if (code !== undefined) return code;
    }
    return undefined;
  };
};

// What stands in a line: marks, codes, [code, response] of 1122:02, other texts.
const readLine = (game, find, answers, line) => {
  const signs = game.rule === "position" ? SQUARES : PINS;
  const markOf = (sign) => signs.findIndex((one) => one.includes(sign));
  const all = [...line].map(markOf).filter((mark) => mark >= 0);
  // A dot alone stands between the words of a title.
  const marks = game.rule === "position" || Math.max(...all) > 0 || all.length === game.nPegs ? all : [];
  const rest = [...line].map((sign) => (markOf(sign) < 0 ? sign : " ")).join("");
  const joints = new RegExp(`[\\s${[..."/,;|"].filter((sign) => !game.symbols.includes(sign)).join("")}]+`);
  const hasDigits = game.symbols.some((symbol) => /\d/.test(symbol));
  const found = { marks, codes: [], pairs: [], strange: [] };
  for (const text of rest.split(joints).filter((one) => one && (hasDigits || !/^#?\d+[.):]?$/.test(one)))) {
    const [code, answer] = [text.slice(0, text.lastIndexOf(":")), text.slice(text.lastIndexOf(":") + 1)];
    const guess = find(text);
    if (guess !== undefined) found.codes.push(guess);
    else if (code && find(code) !== undefined && answers.includes(answer)) found.pairs.push([find(code), answers.indexOf(answer)]);
    else if (code && !answer && find(code) !== undefined) found.codes.push(find(code));
    else {
      if (code && find(code) !== undefined) found.odd ??= text;
      found.strange.push(text);
    }
  }
  return found;
};

const quote = (text) => `“${text.slice(0, 40)}”`;

// { moves }, or { problem }: what could not be read, in one line. Guesses alone need the code, as it is
// written; `isOpen` says that it is missing. A tree that begins in the middle of a game has its first guesses.
export const readResult = ({ game, root, start }, text, secretText = "") => {
  const isWords = game.rule === "position";
  const [noun, kind] = [game.noun, isWords ? "squares" : "pins"];
  const find = makeFinder(game);
  const answers = Array.from({ length: game.nResponses }, (_, response) => game.write(response));
  const lines = normalize(text).replace(UNSEEN, "").split(/\r?\n/).map((line) => readLine(game, find, answers, line));
  const isSign = (sign) => game.symbols.includes(sign) || (noun === "word" ? /[\p{L}\p{M}]/u : /\d/).test(sign);
  const isLike = (one) => splitLetters(one).length === game.nPegs && [...one].every(isSign);
  const tellUnlisted = (one) => `${quote(one)} is ${noun === "word" ? "not in the list" : "no code of this game"}.`;
  const unknown = (some) => {
    const strange = some.flatMap((line) => line.strange);
    const unlisted = strange.find(isLike);
    return unlisted && tellUnlisted(unlisted);
  };
  const known = normalize(secretText.trim());
  const secret = find(known);
  if (known && !root.candidates.includes(secret)) return { problem: `${quote(known)} is no ${noun} to be found here.` };

  const read = (moves) => {
    const end = moves.findIndex(([, response]) => response === game.win);
    if (end >= 0 && end < moves.length - 1) return { problem: `Guess ${end + 1} is the ${noun}, and more guesses follow: paste one game at a time.` };
    const isBegun = start.every(([guess, response], at) => moves[at]?.[0] === guess && moves[at][1] === response);
    return { moves: isBegun ? moves.slice(start.length) : moves };
  };

  const isWhole = ({ marks }) => (isWords ? marks.length === game.nPegs : marks.length > 0 && marks.length <= game.nPegs);
  // A title may have squares, too.
  const begin = Math.max(0, lines.findIndex(isWhole));
  const rows = lines.filter(({ marks, codes, strange }, at) => marks.length && (at >= begin || codes.length || !strange.length || strange.some(isLike)));
  const pairs = lines.flatMap((line) => line.pairs);
  const half = lines.find((line) => line.odd);
  if (half) return { problem: `${quote(half.odd)} is no guess with its answer.` };
  if (pairs.length && !rows.length) return read(pairs);
  const first = lines.findIndex(({ codes, strange }) => codes.length && !strange.length);
  const beside = rows.map(({ codes, strange }) => codes[0] ?? strange.find(isLike));
  const alone = lines.filter(({ marks, strange }) => !marks.length && !strange.length).flatMap(({ codes }) => codes);
  const words = beside.some((one) => one !== undefined) ? beside : alone;
  const bad = rows.findIndex((row) => !isWhole(row));
  if (bad >= 0) return { problem: `Row ${bad + 1} has ${plural(rows[bad].marks.length, kind.slice(0, -1))}: ${noun}s here have ${game.nPegs} ${isWords ? "letters" : "pegs"}.` };

  if (rows.length) {
    const responses = rows.map(({ marks }) => game.responseOf(isWords ? marks : [2, 1].map((mark) => marks.filter((one) => one === mark).length)));
    const odd = responses.indexOf(undefined);
    if (odd >= 0) return { problem: `Row ${odd + 1}: no ${noun} is answered so.` };
    if (!words.length) return { problem: unknown(lines) ?? `There are ${kind} and no ${noun}s: write each guess before its row.` };
    const missing = words.findIndex((one) => typeof one !== "number");
    if (missing >= 0) return { problem: words[missing] === undefined ? `Row ${missing + 1} has no ${noun}.` : tellUnlisted(words[missing]) };
    if (words.length !== rows.length) return { problem: unknown(lines.slice(first)) ?? `${plural(words.length, noun)} and ${plural(rows.length, "row")} of ${kind} do not match: each row needs its guess.` };
    const moves = words.map((code, at) => [code, responses[at]]);
    const fits = (some) => filterSecrets(game, some, root.candidates).length;
    // Some who write from right to left turn their rows around.
    const turned = words.map((code, at) => [code, game.responseOf(rows[at].marks.reverse())]);
    return read(isWords && readsLeftward(game) && !fits(moves) && fits(turned) ? turned : moves);
  }
  const odd = lines.slice(Math.max(0, first)).find(({ strange, codes }) => strange.length && (first >= 0 || codes.length) && !strange[0].startsWith("http"));
  if (odd) return { problem: unknown([odd]) ?? `${quote(odd.strange[0])} was not read: ${noun}s here have ${game.nPegs} ${isWords ? "letters" : "pegs"}.` };
  if (!words.length) return { problem: unknown(lines) ?? `No guess was found: paste ${noun}s with their ${kind}, or ${noun}s alone.` };
  if (secret === undefined) return { problem: `There are no ${kind}: say which ${noun} it was.`, isOpen: true };
  return read(words.map((code) => [code, game.respond(code, secret)]));
};
