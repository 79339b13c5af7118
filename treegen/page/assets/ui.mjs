// Small helpers for elements, pegs and pins.
import { PEG_NAMES, count, readsLeftward } from "./engine.mjs";
import { sharedStore } from "./store.mjs";

// Settings outlive the visit where the browser keeps anything for this page.
const recallSettings = () => {
  const { look, limit, tree, evil, seen, veiled, hard } = sharedStore.recall("") ?? {};
  return {
    look: ["colors", "letters", "shapes", "plain"].includes(look) ? look : "digits",
    limit: limit >= 1 && limit <= 99 ? Math.round(limit) : undefined,
    tree, evil: evil === true, seen: seen === true, veiled: veiled === true, hard: hard === true,
  };
};
export const settings = recallSettings();
export const saveSettings = (changes) => sharedStore.keep("", Object.assign(settings, changes));

export const byId = (id) => document.getElementById(id);

// make("button.primary", { onclick }, "text", child, …)
export const make = (kind, attributes = {}, ...children) => {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (tag === "button") element.type = "button";
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
};

// The same for the elements of a drawing.
export const draw = (name, attributes, ...children) => {
  const { namespaceURI } = document.createRange().createContextualFragment("<svg></svg>").firstChild;
  const element = document.createElementNS(namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const decimal = (number) => number.toLocaleString("en-US", {
  minimumFractionDigits: number < 10 ? 2 : 1, maximumFractionDigits: number < 10 ? 2 : 1 });
export const guessesOf = (number) => `${number} ${number === 1 ? "guess" : "guesses"}`;

// Those that people know, the best known first.
const OPPONENTS = {
  knuth: "Knuth", optimal: "Perfect", "most-parts": "Most answers", entropy: "Most information", "expected-size": "Irving",
  best: "Nearly perfect", "first-consistent": "Whatever fits",
};
const COMPUTED = {
  best: ["Strong", "most answers, then the best play; computed"],
  minimax: ["Careful", "the least worst case; computed"],
  random: ["Random", "any guess that fits; computed"],
  lexicographic: ["Simple", "the first guess that fits; computed"],
};

// Who plays, in a word or two, and what can be said of that. Only one tree is perfect, or one in hard mode; with a
// limit, a search finds the best that keeps it.
export const nameOpponent = ({ isComputed, isBest, level, meta }) => {
  if (isComputed) return COMPUTED[level]?.[0] ?? meta.strategy;
  const [name] = meta.strategy.split(" ");
  const title = name === "optimal" && !isBest ? `Best within ${meta.worst}`
    : OPPONENTS[name] ?? capital(name).replaceAll("-", " ");
  return title + meta.strategy.slice(name.length).replace(" eligible=hints", ", hard mode").replace(" eligible=consistent", ", ultra hard");
};

// How many opponents people know better: those that they do not know come last, before them variants of the others.
export const rankOpponent = ({ meta, start }) => {
  const known = Object.keys(OPPONENTS);
  const [name, ...variants] = meta.strategy.split(" ");
  const isPlain = !variants.length && !start.length;
  return known.includes(name) ? known.indexOf(name) + (isPlain ? 0 : known.length) : 2 * known.length;
};

export const averageOf = ({ meta, root }) => meta.total / root.candidates.length;

export const tellStart = ({ game, start }) => start.length
  ? ` after ${start.map(([guess, response]) => `${game.writeCode(guess)} → ${game.write(response)}`).join(", ")}` : "";

export const tellOpponent = (tree) => tree.isComputed ? COMPUTED[tree.level]?.[1] ?? "criteria and ties that you choose"
  : `never more than ${tree.meta.worst}, ${averageOf(tree).toFixed(2)} on average${tellStart(tree)}`;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SHAPES = "■▲●◆★▼✚✕◐▬";

// What stands on a peg; "" where colors alone are wanted. After the letters come numbers from 1, after the shapes
// what is usual.
export const symbolOf = (game, color) => {
  if (game.rule === "position" || settings.look === "digits" || settings.look === "plain")
    return game.symbols[color];
  if (settings.look === "shapes") return SHAPES[color] ?? game.symbols[color];
  return settings.look === "letters" ? LETTERS[color] ?? String(color - LETTERS.length + 1) : "";
};

// What a peg is called: its color and symbol.
export const nameOf = (game, color) => {
  const isNamed = game.rule !== "position" && game.symbols.length <= PEG_NAMES.length;
  const symbol = settings.look === "shapes" ? game.symbols[color] : symbolOf(game, color) || game.symbols[color];
  return isNamed && settings.look !== "plain" ? `${PEG_NAMES[color]} ${symbol}` : symbol;
};

const hueOf = (game, color) => `hsl(${(360 * color) / game.symbols.length} 65% 72%)`;

export const paint = (element, game, color) => {
  const isTile = game.rule === "position";
  element.classList.add(isTile ? "tile" : "peg");
  const hasCapital = game.symbols[color].toUpperCase().length === game.symbols[color].length;
  if (isTile && !(game.hasCapitals && hasCapital)) element.classList.add("asis");
  if (isTile || settings.look === "plain") return element;
  if (game.symbols.length <= PEG_NAMES.length) element.classList.add(`color${color}`);
  else element.style.backgroundColor = hueOf(game, color);
  return element;
};

// Where a letter of a word stands.
export const placeOf = (game, at) => readsLeftward(game) ? game.nPegs - 1 - at : at;

export const peg = (game, color, mark) => {
  const element = make("span", { "aria-hidden": "true" }, symbolOf(game, color));
  if (mark !== undefined) element.classList.add(`mark${mark}`);
  return paint(element, game, color);
};

export const describeCode = (game, code) => game.codes[code].map((color) => nameOf(game, color)).join(", ");

// A code in a sentence: pegs or tiles, which a screen reader hears by their names. The mark behind it stays beside it.
export const spell = (game, code, mark) => {
  const element = pegs(game, code);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", describeCode(game, code));
  return mark ? make("span.whole", {}, element, mark) : element;
};

const MARK_NAMES = ["grey", "yellow", "green"];

export const describeResponse = (game, response) => {
  const marks = game.marksOf(response);
  if (game.rule === "position") return marks.map((mark) => MARK_NAMES[mark]).join(", ");
  return game.rule === "black" ? `${marks[0]} black` : `${marks[0]} black, ${marks[1]} white`;
};

export const pegs = (game, code, response) => {
  const marks = game.rule === "position" && response !== undefined && game.marksOf(response);
  const items = game.codes[code].map((color, at) => peg(game, color, marks ? marks[at] : undefined));
  return make("span.pegs", {}, ...items);
};

// How a guess splits the candidates: a bar for each [answer, how many], as high as it leaves many.
export const drawCells = (game, cells, attributes = { "aria-hidden": "true" }) => {
  const most = Math.max(...cells.map(([, size]) => size));
  return make("span.cells", attributes, ...cells.map(([response, size]) => {
    const bar = make("i.cell", { title: `${describeResponse(game, response)}: ${count(size)}` });
    bar.style.height = `${Math.max(6, (100 * size) / most)}%`;
    return bar;
  }));
};

export const pins = (game, response) => {
  if (game.rule === "position") return make("span");
  const [black, white] = game.marksOf(response);
  const kinds = [...Array(black).fill("black"), ...Array(white).fill("white")];
  while (kinds.length < game.nPegs) kinds.push("none");
  return make("span.pins", { "aria-hidden": "true" }, ...kinds.map((kind) => make(`i.${kind}`)));
};

// An answer as it is written; for words a row of small tiles.
export const marks = (game, response) => game.rule === "position"
  ? make("span.marks", { "aria-hidden": "true" }, ...game.marksOf(response).map((mark) => make(`i.mark${mark}`)))
  : game.write(response);

const blankRow = (game, number) =>
  make("li.row.blank", { "aria-hidden": "true" },
    make("span.number", {}, String(number)),
    make("span.pegs", {}, ...game.codes[0].map(() =>
      make(game.rule === "position" ? "i.tile.hole" : "i.peg.hole"))),
    game.rule === "position" ? make("span") : pins(game, 0));

const MOST_ROWS = 12;

// The row that is being filled: it stays while the rows around it change.
export const makeCurrent = (...parts) =>
  make("li.row.blank.current", {}, make("span.number", { "aria-hidden": "true" }), ...parts);

// What a board shows: the guesses that a tree begins after, those made, the row that is being filled, and
// rows that wait, so that the board keeps its size.
export const fillBoard = (board, tree, made, current, limit) => {
  const given = tree.start.map(([guess, response]) => row(tree.game, "", guess, response, "given"));
  const nFilled = made.length + (current ? 1 : 0);
  const waiting = Array.from({ length: Math.max(0, Math.min(limit, MOST_ROWS) - nFilled) },
    (_, place) => blankRow(tree.game, nFilled + place + 1));
  for (const one of [...board.children]) if (one !== current) one.remove();
  if (current && !current.isConnected) board.append(current);
  board.prepend(...given, ...made);
  board.append(...waiting);
  if (current) current.firstChild.textContent = made.length + 1;
};

// How many guesses a game has: what was set, or what is usual.
export const usualLimit = ({ game, meta }) =>
  settings.limit ?? (game.rule === "position" ? Math.max(6, meta.worst ?? 0) : 12);

// The limit a game is played under: one below the guesses made applies from the next game.
export const limitFor = (tree, nGuesses, before) => {
  const limit = usualLimit(tree);
  return nGuesses && limit <= nGuesses && before > nGuesses ? before : limit;
};

// A finished row of a board; one without a number was given.
export const row = (game, number, guess, response, note, isWrong) =>
  make(`li.row${isWrong ? ".wrong" : ""}${number ? "" : ".given"}`, {},
    make("span.hidden", {}, `${number ? `Guess ${number}` : "Given"}: ${describeCode(game, guess)}. ` +
      `Answer: ${describeResponse(game, response)}.`),
    make("span.number", { "aria-hidden": "true" }, String(number)),
    pegs(game, guess, response), pins(game, response), make("span.note", {}, note ?? ""));

// What the code was, after a loss.
export const solutionRow = (game, secret) =>
  make("li.row.solution", {}, make("span.number"), spell(game, secret), make("span.note", {}, `the ${game.noun}`));

const MOST_CODES = 200;

// The codes that remain, folded away. Returns the element and how to show others in it.
export const makeRemaining = (game) => {
  const list = make("ul.codes");
  let candidates = [];
  const write = () => {
    if (!element.open) return;
    const hidden = candidates.length - MOST_CODES;
    list.replaceChildren(...candidates.slice(0, MOST_CODES).map((code) =>
      make("li", {}, make("span.hidden", {}, describeCode(game, code)), pegs(game, code))));
    if (hidden > 0) list.append(make("li", {}, `and ${count(hidden)} more`));
  };
  const element = make("details.remaining", { ontoggle: write },
    make("summary", {}, `Remaining ${game.noun}s`), list);
  const update = (codes) => {
    candidates = codes;
    write();
  };
  return [element, update];
};

// Show something anew; what had the focus in it keeps it.
export const renew = (element, ...children) => {
  const list = () => [...element.querySelectorAll("button, summary")];
  const at = list().indexOf(document.activeElement);
  element.replaceChildren(...children);
  list()[at]?.focus({ preventScroll: true });
};

// Radio buttons that look like cards: { value, title, text } of each.
export const showPicks = (element, name, options, chosen, choose) => {
  const hadFocus = element.contains(document.activeElement);
  element.replaceChildren(...options.map(({ value, title, text }) => make("label.pick", {},
    make("input", { type: "radio", name, value, checked: value === chosen && "checked", onchange: () => choose(value) }),
    make("b", {}, title), text ? make("small", {}, text) : "")));
  if (hadFocus) element.querySelector(":checked")?.focus();
};

const messages = new WeakMap();

// Show a message of a text, or of texts and elements; a function writes it anew by the settings.
export const say = (element, text, kind = "") => {
  messages.set(element, [text, kind]);
  element.replaceChildren(...[typeof text === "function" ? text() : text].flat());
  element.className = `message ${kind}`;
};
export const sayAgain = (element) => say(element, ...(messages.get(element) ?? [""]));

// What a screen reader speaks, unseen.
export const makeSpoken = () => make("p.hidden.spoken", { role: "status" });
