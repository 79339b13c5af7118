// The page hides a code; you guess, and are told how good each guess was.
import { filterSecrets, rateGuess } from "./engine.mjs";
import { dragPeg } from "./drag.mjs";
import { follow } from "./tree.mjs";
import {
  blankRows, count, decimal, describeCode, describeResponse, limitFor, make, makeRemaining, makeReview,
  makeSpoken, nameOf, paint, plural, row, say, sayAgain, settings, spell, symbolOf,
} from "./ui.mjs";

const random = (limit) => {
  const largest = Math.floor(2 ** 32 / limit) * limit;
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return number < largest ? number % limit : random(limit);
};

export const startBreaker = (panel, tree, askWorker) => {
  const { game } = tree;
  const isWords = game.rule === "position";
  const values = isWords ? "letters" : "colors";
  const ask = `Drag, click or type ${values}; Enter guesses.`;
  let secret, colors, moves, remaining, cursor;
  let limit = settings.limit;

  const status = make("p.status");
  const spoken = makeSpoken();
  const board = make("ol.board", { "aria-label": "Your guesses" });
  const slots = make("div.slots", { role: "group", "aria-label": "Your next guess" });
  const palette = make("div.palette", { role: "group", "aria-label": isWords ? "Letters" : "Colors" });
  const message = make("p.message", { role: "status" });
  const button = (text, action, kind = "button") =>
    make(kind, { type: "button", onclick: action }, text);
  const send = button("Guess", () => submit(), "button.primary");
  const clear = button("Clear", () => fill(Array(game.nPegs).fill(null)));
  const reveal = button("Give up", () => finish(() => ["The code was ", spell(game, secret), "."], "bad"));
  const again = button("New code", () => restart());
  const hint = button("Hint", () => advise());
  const [codes, showCodes] = makeRemaining(game);
  const [review, showReview] = makeReview();
  const entry = make("div.entry", {}, make("div.line", {}, slots, send), palette);
  panel.replaceChildren(status, spoken, board,
    make("div.dock", {}, message, entry, make("div.buttons", {}, hint, clear, reveal, again)),
    make("div.aside", {}, review, codes));

  const isOver = () => panel.dataset.over === "yes";

  const fill = (next, at) => {
    colors = next;
    cursor = at ?? Math.max(0, colors.indexOf(null));
    showEntry();
  };

  const place = (color, at = cursor) => {
    const next = [...colors];
    next[at] = color;
    const hole = next.indexOf(null);
    fill(next, hole >= 0 ? hole : at);
  };

  const slot = (color, at) => {
    const label = color === null ? "empty" : nameOf(game, color);
    const kind = `button.slot${isWords ? ".square" : ""}${at === cursor ? ".cursor" : ""}`;
    const element = make(kind, {
      type: "button", "data-slot": at, "aria-label": `Hole ${at + 1}: ${label}`,
      onclick: () => {
        cursor = at;
        showEntry();
        slots.children[at].focus();
      },
    }, color === null ? "" : symbolOf(game, color));
    if (color === null) return element;
    element.addEventListener("pointerdown", (event) => dragPeg(event, element, (to) => dropPeg(color, at, to)));
    return paint(element, game, color);
  };

  const showEntry = () => {
    slots.replaceChildren(...colors.map(slot));
    send.disabled = colors.includes(null);
  };

  const showPalette = () => {
    palette.replaceChildren(...game.symbols.map((_, color) => {
      const element = make("button.choice", {
        type: "button", "data-color": color, "aria-label": nameOf(game, color),
        onclick: () => place(color),
      }, symbolOf(game, color));
      element.addEventListener("pointerdown", (event) =>
        dragPeg(event, element, (to) => dropPeg(color, undefined, to)));
      return paint(element, game, color);
    }));
  };

  // A peg dragged from a hole changes places; dropped elsewhere it leaves the guess.
  const dropPeg = (color, from, to) => {
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

  // What the table plays here; undefined once a guess was not the table's.
  const tableGuess = () => {
    const states = follow(tree, moves.map((move) => move.response));
    const isFollowed = moves.every((move, index) => states[index]?.guess === move.guess);
    return isFollowed ? states[moves.length]?.guess : undefined;
  };

  const submit = () => {
    if (colors.includes(null) || isOver()) return;
    const guess = game.indexOf(colors);
    if (guess === undefined) {
      say(message, isWords ? "That word is not in the list."
        : "That is no code of this game: a color stands there too often.", "bad");
      return;
    }
    const before = remaining;
    const planned = tableGuess();
    const response = game.respond(guess, secret);
    remaining = filterSecrets(game, [[guess, response]], before);
    const move = { guess, response, left: remaining.length, ...rateGuess(game, guess, before) };
    moves.push(move);
    compare(move, planned, before);
    say(message, "");
    limit = limitFor(moves.length - 1, limit);
    spoken.textContent = `Guess ${moves.length}, ${describeCode(game, guess)}: ` +
      `${describeResponse(game, response)}. ${plural(remaining.length, "option")} left.`;
    if (response === game.win)
      finish(`Found with ${moves.length} ${moves.length === 1 ? "guess" : "guesses"}.`, "good");
    else if (moves.length >= limit)
      finish(() => [`All ${limit} guesses are used up. The code was `, spell(game, secret), "."], "bad");
    else fill(Array(game.nPegs).fill(null));
    show();
  };

  const rating = ({ expected, worst }) => `${decimal(expected)} on average, ${count(worst)} at worst`;

  const greedyName = ({ isCut }) => `computed greedy choice${isCut ? " among the candidates" : ""}`;

  // Tell what to play now: the table's guess, or a greedy one where it was left.
  const advise = async () => {
    const [planned, turn, asked] = [tableGuess(), moves.length, moves];
    if (planned !== undefined) {
      const told = rating(rateGuess(game, planned, remaining));
      say(message, () => ["The table plays ", spell(game, planned), ` (${told}).`]);
      return;
    }
    say(message, "Computing a greedy choice…");
    const isWanted = () => asked === moves && turn === moves.length && !isOver();
    const best = await askWorker(tree, remaining, isWanted);
    if (!isWanted()) return;
    say(message, () => [`The ${greedyName(best)} is `, spell(game, best.guess), ` (${rating(best)}).`]);
  };

  const compare = async (move, planned, before) => {
    if (planned !== undefined) {
      move.note = planned === move.guess ? () => ["as the table plays"]
        : () => ["the table: ", spell(game, planned), ` (${rating(rateGuess(game, planned, before))})`];
      return;
    }
    move.note = () => ["computing a greedy choice…"];
    const best = await askWorker(tree, before, () => moves.includes(move));
    move.note = best.guess === move.guess ? () => [`as the ${greedyName(best)}`]
      : () => [`${greedyName(best)}: `, spell(game, best.guess), ` (${rating(best)})`];
    if (moves.includes(move)) show();
  };

  const finish = (text, kind) => {
    panel.dataset.over = "yes";
    say(message, text, kind);
    entry.hidden = true;
    for (const one of [reveal, hint, clear]) one.disabled = true;
    again.focus({ preventScroll: true });
    show();
  };

  const show = () => {
    if (!isOver()) limit = limitFor(moves.length, limit);
    const number = Math.min(moves.length + (isOver() ? 0 : 1), limit);
    status.textContent = `Guess ${number} / ${limit} · Remaining options: ${count(remaining.length)}`;
    showCodes(remaining);
    board.replaceChildren(...moves.map((move, index) => row(game, index + 1, move.guess, move.response,
      move.response === game.win ? "found" : `${plural(move.left, "option")} left`)),
    ...blankRows(game, moves.length, limit));
    board.children[moves.length - 1]?.scrollIntoView({ block: "nearest" });
    showReview(moves.map((move) =>
      [spell(game, move.guess), `yours: ${rating(move)}`, move.note()]));
  };

  const restart = () => {
    remaining = tree.root.candidates;
    secret = remaining[random(remaining.length)];
    moves = [];
    panel.dataset.over = "no";
    entry.hidden = false;
    for (const one of [reveal, hint, clear]) one.disabled = false;
    say(message, ask, "hint");
    fill(Array(game.nPegs).fill(null));
    showPalette();
    show();
  };

  panel.onkeydown = (event) => {
    if (isOver() || event.target.closest("summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key;
    if (key === "Enter" && !event.target.closest("button:not(.slot)")) {
      event.preventDefault();
      submit();
    } else if (key === "Backspace") {
      const at = colors[cursor] === null && cursor ? cursor - 1 : cursor;
      const next = [...colors];
      next[at] = null;
      fill(next, at);
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      cursor = (cursor + (key === "ArrowLeft" ? game.nPegs - 1 : 1)) % game.nPegs;
      showEntry();
    } else {
      const color = game.symbols.findIndex((symbol, index) =>
        [symbol, symbolOf(game, index)].some((s) => s.toLowerCase() === key.toLowerCase()));
      if (color < 0) return;
      place(color);
    }
    if (!isOver() && !palette.contains(document.activeElement))
      slots.children[cursor]?.focus();
  };
  restart();
  return () => {
    showEntry();
    showPalette();
    sayAgain(message);
    show();
  };
};
