// The answer that is being given: pins to turn, or the letters of the guess to mark.
import { make, nameOf, peg } from "./ui.mjs";

const PIN_NAMES = ["empty", "black", "white"];
const TILE_NAMES = ["grey", "yellow", "green"];

export const makeAnswer = (game, label = "Your answer") => {
  const isTile = game.rule === "position";
  const nKinds = game.rule === "black" ? 2 : 3;
  const blank = () => Array(game.nPegs).fill(0);
  const element = make(isTile ? "span.pegs" : "span.pinboard", { role: "group", "aria-label": label });
  let marks = blank();
  let colors = blank();

  const button = (at) => {
    const attributes = { "data-pin": at, onclick: () => set(at, (marks[at] + 1) % nKinds) };
    if (!isTile) {
      const name = PIN_NAMES[marks[at]];
      return make(`button.pin.${name}`, { ...attributes, "aria-label": `Pin ${at + 1}: ${name}` });
    }
    const letter = colors[at] === null ? `${at + 1}` : nameOf(game, colors[at]);
    return make("button.plain", { ...attributes, "aria-label": `Letter ${letter}: ${TILE_NAMES[marks[at]]}` },
      colors[at] === null ? make(`span.tile.mark${marks[at]}`) : peg(game, colors[at], marks[at]));
  };

  const set = (at, mark) => {
    marks[at] = mark;
    const focused = [...element.children].indexOf(document.activeElement);
    show();
    element.children[focused]?.focus();
  };

  const show = () => element.replaceChildren(...marks.map((_, at) => button(at)));

  return {
    element,
    turn: (at) => set(at, (marks[at] + 1) % nKinds),
    markAt: (at) => marks[at],
    nameAt: (at) => TILE_NAMES[marks[at]],
    focus: () => element.firstChild.focus({ preventScroll: true }),
    // Undefined where no code fits.
    read: () => isTile ? game.responseOf(marks)
      : game.responseOf([1, 2].map((kind) => marks.filter((mark) => mark === kind).length)),
    reset: (code) => {
      marks = blank();
      if (code !== undefined) colors = game.codes[code];
      show();
    },
    // The pins or letters of an answer.
    fill: (response) => {
      const counts = game.marksOf(response);
      marks = isTile ? counts : blank().map((_, at) => (at < counts[0] ? 1 : at < counts[0] + counts[1] ? 2 : 0));
      show();
    },
    recolor: (next) => {
      colors = next;
      show();
    },
    // B and W set pins, Backspace takes one away.
    type: ({ key }, isErasing = true) => {
      if (isTile) return;
      const kind = { b: 1, w: game.rule === "pegs" ? 2 : 0 }[key.toLowerCase()];
      if (kind && marks.includes(0)) set(marks.indexOf(0), kind);
      const last = marks.findLastIndex((mark) => mark);
      if (isErasing && key === "Backspace" && last >= 0) set(last, 0);
    },
  };
};

export const tellImpossible = ({ nPegs }) =>
  `No code is answered with ${nPegs - 1} black and 1 white pin: the last peg would be in its place too.`;
