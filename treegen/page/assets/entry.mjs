// The guess that is being put together: holes, and the colors or letters to fill them with.
import { plural } from "./engine.mjs";
import { findName, fold } from "../../player/js/tgt_text.mjs";
import { dragPeg } from "./drag.mjs";
import { make, nameOf, paint, say, symbolOf } from "./ui.mjs";

const MOST_MEANT = 3;

// Pages of pegs alone are without the script of words.
const { bare, findCode, makeKeyboard } = globalThis.words ?? {
  bare: (text) => text,
  findCode: (game, colors) => game.indexOf(colors),
  makeKeyboard: ({ symbols }) => ({ symbols, rows: [[...symbols.keys()]], isKeyboard: false }),
};

// Words that differ from some letters by accents or in one place, the nearest first.
export const findMeant = ({ codes, symbols }, colors) => {
  const letters = symbols.map(bare);
  const rate = (code) => code.reduce((sum, color, at) =>
    sum + (color === colors[at] ? 0 : letters[color] === letters[colors[at]] ? .01 : 1), 0);
  return codes.map((code, index) => [rate(code), index]).filter(([far]) => far < 2)
    .sort(([a], [b]) => a - b).slice(0, MOST_MEANT).map(([, index]) => index);
};

// What is known of each letter: the best mark it got; undefined where it was not guessed.
export const learnMarks = (game, history) => {
  const known = [];
  if (game.rule !== "position") return known;
  for (const [guess, response] of history)
    game.marksOf(response).forEach((mark, peg) => {
      const color = game.codes[guess][peg];
      known[color] = Math.max(known[color] ?? 0, mark);
    });
  return known;
};

const LETTER_MARKS = ["not in the word", "elsewhere in the word", "in its place"];

// The holes of a guess and the colors or letters for them. `send` is the button that ends it, a key of a
// keyboard of letters; `message` says why a guess is not taken, until it changes. With an answer to tiles, a tap on a
// letter colors it. With `crossed`, { list(), keep(list) }, colors can be crossed out on the palette, for the eye alone.
export const makeEntry = (played, send, message, { answer, crossed, changed } = {}) => {
  const { symbols, rows, isKeyboard } = makeKeyboard(played);
  const game = { ...played, symbols };
  const isWords = game.rule === "position";
  const empty = Array(game.nPegs).fill(null);
  let colors = empty;
  let cursor = 0;
  let marks = [];
  let isCrossing = false;
  let typed, typedAt; // what was typed for the last letter, and its hole
  const slots = make("div.slots", { role: "group", "aria-label": "Your next guess" });
  const palette = make("div.palette", { role: "group", "aria-label": isWords ? "Letters" : "Colors" });
  if (isKeyboard) {
    palette.classList.add("keyboard");
    send.classList.add("key");
    send.setAttribute("aria-label", send.textContent);
    send.textContent = "⏎";
  }

  const fill = (next, at) => {
    colors = next;
    cursor = at ?? Math.max(0, colors.indexOf(null));
    if (message?.matches(".refusal")) say(message, "");
    show();
    changed?.();
  };

  const place = (color, at = cursor) => {
    const next = [...colors];
    next[at] = color;
    const hole = next.indexOf(null);
    fill(next, hole >= 0 ? hole : at);
  };

  const slot = (color, at) => {
    const isMarked = answer && color !== null;
    const label = color === null ? "empty" : nameOf(game, color) + (isMarked ? `, ${answer.nameAt(at)}` : "");
    const kind = `button.slot${isWords ? ".square" : ""}${at === cursor ? ".cursor" : ""}`;
    const element = make(kind, {
      "data-slot": at, "aria-label": `${isWords ? "Letter" : "Hole"} ${at + 1}: ${label}`,
      onclick: () => {
        cursor = at;
        if (isMarked) answer.turn(at);
        show();
        slots.children[at].focus();
      },
    }, color === null ? "" : symbolOf(game, color));
    if (color === null) return element;
    if (isMarked) element.classList.add(`mark${answer.markAt(at)}`);
    element.addEventListener("pointerdown", (event) => dragPeg(event, element, (to) => drop(color, at, to)));
    return paint(element, game, color);
  };

  const choice = (color) => {
    const isOut = crossed?.list().includes(color);
    const extra = isOut ? ", crossed out" : marks[color] === undefined ? "" : `, ${LETTER_MARKS[marks[color]]}`;
    const element = make("button.choice", {
      "data-color": color, "aria-label": nameOf(game, color) + extra,
      onclick: () => (isCrossing ? cross(color, isOut) : place(color)),
    }, symbolOf(game, color));
    if (isOut) element.classList.add("crossed");
    if (marks[color] !== undefined) element.classList.add(`mark${marks[color]}`);
    element.addEventListener("pointerdown", (event) =>
      dragPeg(event, element, (to) => drop(color, undefined, to)));
    return paint(element, game, color);
  };

  const cross = (color, isOut) => {
    crossed.keep(isOut ? crossed.list().filter((other) => other !== color) : [...crossed.list(), color]);
    redraw();
    palette.querySelector(`[data-color="${color}"]`).focus();
  };

  const crosser = make("button.choice.erase", { "aria-label": "Cross out colors", "aria-pressed": "false", onclick: () => {
    isCrossing = !isCrossing;
    crosser.setAttribute("aria-pressed", isCrossing);
  } }, "✗");

  // A peg dragged from a hole changes places; dropped elsewhere it leaves the guess.
  const drop = (color, from, to) => {
    if (from === undefined) {
      if (to !== undefined) place(color, to);
      return;
    }
    const next = [...colors];
    next[from] = to === undefined ? null : colors[to];
    if (to !== undefined) next[to] = color;
    const hole = next.indexOf(null);
    fill(next, hole >= 0 ? hole : to);
  };

  const show = () => {
    [typed, typedAt] = ["", cursor];
    slots.replaceChildren(...colors.map(slot));
    send.disabled = !isKeyboard && colors.includes(null);
  };

  const takeBack = () => {
    const at = colors[cursor] === null && cursor ? cursor - 1 : cursor;
    const next = [...colors];
    next[at] = null;
    fill(next, at);
  };

  // The color that a text names. A key without accents is the letter that has them where there is no plain one, and
  // one with accents the plain one where there is no other.
  const readColor = (text) => {
    const shown = played.symbols.map((_, index) => symbolOf(played, index));
    const names = [shown, played.symbols, text.length === 1 ? played.symbols.map(bare) : [], symbols];
    return [...names.map((texts) => findName(texts, text)), played.symbols.indexOf(bare(fold(text)))].find((at) => at >= 0);
  };

  const isBegun = (text) => game.noun === "word" && game.symbols.some((symbol) => fold(symbol).startsWith(fold(text)));

  // Whether a key was one of the entry's. L and J make one letter, where there is such a one.
  const type = ({ key }) => {
    if (key === " ") return false;
    const texts = [[typed + key, typedAt], [key, cursor]];
    const [text, at] = texts.find(([one]) => readColor(one) !== undefined || isBegun(one)) ?? [];
    if (key === "Backspace") takeBack();
    else if (key === "ArrowLeft" || key === "ArrowRight") {
      cursor = (cursor + (key === "ArrowLeft" ? game.nPegs - 1 : 1)) % game.nPegs;
      show();
    } else if (text) {
      const color = readColor(text);
      if (color !== undefined) place(color, at);
      if (game.noun === "word") [typed, typedAt] = [text, at];
    } else return false;
    if (!palette.contains(document.activeElement)) slots.children[cursor]?.focus();
    return true;
  };

  const fillWhole = (code) => fill([...game.codes[code]]);

  const refuse = (text) => say(message, text, "bad refusal");

  // The code that was entered; undefined, and the message says why, where there is none.
  const read = () => {
    const missing = colors.filter((color) => color === null).length;
    const code = findCode(game, colors);
    if (missing) refuse(`${plural(missing, game.noun === "word" ? "letter" : "peg")} ${missing === 1 ? "is" : "are"} missing.`);
    else if (code === undefined) refuse(tellUnknown());
    return code;
  };

  // Of colors that are no code: why, and for words which may be meant.
  const tellUnknown = () => {
    if (game.noun !== "word") return "No code of this game: a color stands there too often.";
    const meant = findMeant(game, colors).flatMap((code, at) => [at ? " " : " Did you mean ",
      make("button", { onclick: () => {
        fillWhole(code);
        slots.children[cursor].focus();
      } }, game.writeCode(code))]);
    return ["That word is not in the list.", ...meant, ...meant.length ? ["?"] : []];
  };

  const redraw = (known = marks) => {
    marks = known;
    const lines = rows.map((colors) => colors.map(choice));
    if (isKeyboard) lines.at(-1).unshift(send);
    lines.at(-1).push(make("button.choice.erase", { "aria-label": "Take back", onclick: takeBack }, "⌫"), ...crossed && !isWords ? [crosser] : []);
    palette.replaceChildren(...lines.map((keys) => make("div.keys", {}, ...keys)));
    show();
  };

  return {
    slots, palette, type, isKeyboard, redraw, read, refuse,
    focus: () => slots.children[cursor].focus({ preventScroll: true }),
    colors: () => colors,
    clear: () => fill(empty),
    fill: fillWhole,
  };
};
