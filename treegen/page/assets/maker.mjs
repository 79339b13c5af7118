// You hide a code and answer; the table guesses.
import { findConflict } from "./engine.mjs";
import { step } from "./tree.mjs";
import {
  blankRows, count, describeCode, describeResponse, limitFor, make, makeRemaining, makeSpoken, nameOf,
  peg, pegs, plural, row, say, sayAgain, settings, spell,
} from "./ui.mjs";

export const startMaker = (panel, tree) => {
  const { game } = tree;
  const history = [];
  const states = [tree.root];
  let marks = [];
  let wrong = [];
  let limit = settings.limit;

  const status = make("p.status");
  const spoken = makeSpoken();
  const board = make("ol.board", { "aria-label": "Guesses and answers" });
  const entry = make("div.entry");
  const message = make("p.message", { role: "status" });
  const [remaining, showRemaining] = makeRemaining(game);
  const undo = make("button", { type: "button", onclick: () => takeBack() }, "Undo");
  const again = make("button", { type: "button", onclick: () => restart() }, "New game");
  const ask = game.rule === "position"
    ? "Think of a word of the list; click letters grey, yellow, green."
    : `Think of a code; click pins or press ${game.rule === "black" ? "B" : "B and W"}, then Enter.`;
  panel.replaceChildren(status, spoken, board,
    make("div.dock", {}, message, entry, make("div.buttons", {}, undo, again)),
    make("div.aside", {}, remaining));

  const isWon = () => history.length > 0 && history.at(-1)[1] === game.win;

  const blank = () => Array(game.nPegs).fill(0);

  const response = () =>
    game.rule === "position"
      ? game.responseOf(marks)
      : game.responseOf([1, 2].map((kind) => marks.filter((mark) => mark === kind).length));

  const submit = () => {
    const given = response();
    const { guess } = states.at(-1);
    if (given === undefined) {
      say(message, `No code is answered with ${game.nPegs - 1} black and 1 white pin: the last peg` +
        " would be in its place too.", "bad");
      return;
    }
    const isFound = given === game.win && states.at(-1).candidates.includes(guess);
    const next = isFound ? { candidates: [guess] } : step(tree, states.at(-1), given);
    if (!next) {
      explain([...history, [guess, given]]);
      return;
    }
    history.push([guess, given]);
    states.push(next);
    marks = blank();
    wrong = [];
    say(message, "");
    show(true);
  };

  const explain = (answers) => {
    wrong = findConflict(game, answers, tree.root.candidates);
    const names = () => wrong.flatMap((index, place) => {
      const which = index === history.length ? "this answer" : `guess ${index + 1}`;
      const told = `: ${describeResponse(game, answers[index][1])})`;
      return [place ? "; " : "", `${which} (`, spell(game, answers[index][0]), told];
    });
    say(message, () => wrong.length === 1
      ? ["No code answers so: ", ...names(), "."]
      : ["These answers cannot all be true: ", ...names(), ". Change this answer, or undo."], "bad");
    show(false);
  };

  const takeBack = () => {
    if (history.length) {
      history.pop();
      states.pop();
    }
    marks = blank();
    wrong = [];
    say(message, "");
    show(true);
  };

  const restart = () => {
    history.length = 0;
    states.length = 1;
    marks = blank();
    wrong = [];
    say(message, "");
    show(true);
  };

  const setMark = (at, mark) => {
    marks[at] = mark;
    const focused = [...entry.querySelectorAll("[data-pin]")].indexOf(document.activeElement);
    showEntry();
    entry.querySelectorAll("[data-pin]")[focused]?.focus();
  };

  const type = (event) => {
    const key = event.key.toLowerCase();
    const kind = { b: 1, w: game.rule === "pegs" ? 2 : 0 }[key];
    if (!entry.firstChild || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "enter" && !event.target.closest("button:not([data-pin]), summary")) {
      event.preventDefault();
      submit();
    }
    if (game.rule === "position") return;
    if (kind && marks.includes(0)) setMark(marks.indexOf(0), kind);
    const last = marks.findLastIndex((mark) => mark);
    if (key === "backspace" && last >= 0) setMark(last, 0);
  };

  const PIN_NAMES = ["empty", "black", "white"];
  const TILE_NAMES = ["grey", "yellow", "green"];

  const pinButton = (mark, at) => {
    const kinds = game.rule === "black" ? 2 : 3;
    return make(`button.pin.${PIN_NAMES[mark]}`, {
      type: "button", "data-pin": at, "aria-label": `Pin ${at + 1}: ${PIN_NAMES[mark]}`,
      onclick: () => setMark(at, (mark + 1) % kinds),
    });
  };

  const tileButton = (color, at) =>
    make("button.plain", {
      type: "button", "data-pin": at, onclick: () => setMark(at, (marks[at] + 1) % 3),
      "aria-label": `Letter ${nameOf(game, color)}: ${TILE_NAMES[marks[at]]}`,
    }, peg(game, color, marks[at]));

  const showEntry = () => {
    const { guess } = states.at(-1);
    const isTile = game.rule === "position";
    const number = make("span.number", { "aria-hidden": "true" }, String(history.length + 1));
    const shown = isTile
      ? make("span.pegs", {}, ...game.codes[guess].map(tileButton))
      : pegs(game, guess);
    const editor = make("span.pinboard", { role: "group", "aria-label": "Your answer" });
    if (!isTile) editor.append(...marks.map(pinButton));
    const send = make("button.primary", { type: "button", onclick: submit }, "Answer");
    const words = make("span.hidden", {}, `The guess is ${describeCode(game, guess)}.`);
    entry.replaceChildren(make("div.row.current", {}, words, number, shown, editor, send));
  };

  // What was answered, and what is guessed next.
  const speak = () => {
    const last = history.at(-1);
    const answered = last ? `Answered ${describeResponse(game, last[1])}. ` : "";
    spoken.textContent = answered + (entry.firstChild
      ? `Guess ${history.length + 1} is ${describeCode(game, states.at(-1).guess)}. ${status.textContent}`
      : status.textContent);
  };

  const show = (moveFocus) => {
    const left = states.at(-1).candidates.length;
    limit = isWon() ? limit : limitFor(history.length, limit);
    const used = Math.min(history.length + 1, limit);
    status.textContent = isWon()
      ? `Found at guess ${history.length} / ${limit}.`
      : `Guess ${used} / ${limit} · Remaining options: ${count(left)}`;
    board.replaceChildren(...history.map(([guess, given], index) =>
      row(game, index + 1, guess, given,
        given === game.win ? "found" : `${plural(states[index + 1].candidates.length, "option")}`,
        wrong.includes(index))), ...blankRows(game, history.length, limit));
    undo.disabled = !history.length;
    showRemaining(states.at(-1).candidates);
    if (isWon()) {
      say(message, () => ["Your code is ", spell(game, history.at(-1)[0]), "."], "good");
      entry.replaceChildren();
      if (moveFocus) again.focus({ preventScroll: true });
    } else if (history.length >= limit) {
      say(message, `All ${limit} guesses are used up.`, "bad");
      entry.replaceChildren();
    } else {
      if (wrong.length) sayAgain(message);
      else say(message, history.length ? "" : ask, "hint");
      showEntry();
      if (moveFocus && history.length) entry.querySelector("[data-pin]").focus({ preventScroll: true });
    }
    if (moveFocus) speak();
    board.children[history.length - 1]?.scrollIntoView({ block: "nearest" });
  };

  panel.onkeydown = type;
  marks = blank();
  show(false);
  return () => show(false);
};
