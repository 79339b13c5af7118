// The page hides a code; you guess, and are told what each guess has cost.
import { filterSecrets, findBreach, isEnd, ruleOfPlay } from "./engine.mjs";
import { learnMarks, makeEntry } from "./entry.mjs";
import { showFigures, showReview } from "./report.mjs";
import { makeShare, pickDaily, today } from "./share.mjs";
import { celebrate } from "./confetti.mjs";
import { countGame, gameKey, keepFigures, readHistory, recallFigures, tabStore } from "./store.mjs";
import {
  blankRows, count, describeCode, describeResponse, guessesOf, limitFor, make, makeRemaining, makeSpoken,
  plural, row, say, sayAgain, settings, spell,
} from "./ui.mjs";

const random = (limit) => {
  const largest = Math.floor(2 ** 32 / limit) * limit;
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return number < largest ? number % limit : random(limit);
};

// A game in progress: { secret, moves: [guess, response][], day, over: "" | "won" | "lost" }.
const recallGame = (tree) => {
  const kept = tabStore.recall(`breaker ${gameKey(tree)}`);
  if (!kept || !tree.root.candidates.includes(kept.secret)) return undefined;
  const moves = readHistory(tree, kept.moves);
  const isTrue = moves.every(([guess, response]) => tree.game.respond(guess, kept.secret) === response);
  const over = ["won", "lost"].includes(kept.over) ? kept.over : "";
  return isTrue ? { secret: kept.secret, moves, day: kept.day, over } : undefined;
};

export const startBreaker = (panel, tree, ask, openAnalysis) => {
  const { game } = tree;
  const isWords = game.rule === "position";
  const hint = `Drag, click or type ${isWords ? "letters" : "colors"}; Enter guesses.`;
  let state, before, figuresBefore, lefts;
  let limit = settings.limit;
  let reviewed;

  const status = make("p.status");
  const spoken = makeSpoken();
  const board = make("ol.board", { "aria-label": "Your guesses" });
  const message = make("p.message", { role: "status" });
  const button = (text, action, kind = "button") =>
    make(kind, { type: "button", onclick: action }, text);
  const send = button("Guess", () => submit(), "button.primary");
  const entry = makeEntry(game, (colors) => { send.disabled = colors.includes(null); });
  const clear = button("Clear", entry.clear);
  const reveal = button("Give up", () => giveUp());
  const codeButton = (word, action) => make("button", { type: "button", onclick: action, "aria-label": `${word} code` },
    word, make("span.long", {}, " code"));
  const again = codeButton("New", () => begin(pickRandom()));
  const daily = codeButton("Daily", () => begin(pickDaily(tree, today()), today()));
  const undo = make("button", { type: "button", onclick: () => takeBack(), "aria-label": "Undo" }, "↶", make("span.long", {}, " Undo"));
  const advise = button("Hint", () => tellBest());
  const reviewing = button("Review", () => askReview());
  const [codes, showCodes] = makeRemaining(game);
  const review = make("div.review", { "aria-live": "polite" });
  const share = makeShare(() => tree, () => ({ moves: state.moves, limit, label: state.day && `${game.title}, ${state.day}` }));
  const figures = make("div.figures");
  const form = make("div.entry", {}, make("div.line", {}, entry.slots, send), entry.palette);
  panel.replaceChildren(status, spoken, board,
    make("div.dock", {}, message, form,
      make("div.buttons", {}, advise, clear, reviewing, reveal, undo, again, daily)),
    make("div.aside", {}, review, share, figures, codes));

  const isOver = () => state.over !== "";
  const pickRandom = () => tree.root.candidates[random(tree.root.candidates.length)];
  const remaining = () => lefts.at(-1);

  const keep = () => tabStore.keep(`breaker ${gameKey(tree)}`, state);

  // Put a game on the board; the one before can be brought back.
  const set = (next) => {
    state = next;
    lefts = [tree.root.candidates];
    for (const move of state.moves) lefts.push(filterSecrets(game, [move], lefts.at(-1)));
    keep();
    reviewed = undefined;
    review.replaceChildren();
    entry.clear();
    entry.redraw(learnMarks(game, state.moves));
    tell();
    show();
  };

  const tell = () => {
    if (state.over === "won") say(message, () => state.moves.at(-1)[1] === game.win
      ? `Found with ${guessesOf(state.moves.length)}.`
      : ["The code is ", spell(game, state.secret), `: identified with ${guessesOf(state.moves.length)}.`], "good");
    else if (state.over === "lost") say(message, () => [
      state.moves.length >= limit ? `All ${limit} guesses are used up. ` : "", "The code was ", spell(game, state.secret), "."], "bad");
    else say(message, state.moves.length ? "" : hint, "hint");
  };

  const change = (next, past) => {
    [before, figuresBefore] = [past, undefined];
    set(next);
  };

  const begin = (secret, day) => change({ secret, day, moves: [], over: "" }, state);

  const end = (over) => {
    figuresBefore = countGame(tree, over === "won" ? state.moves.length : 0);
    set({ ...state, over });
    again.focus({ preventScroll: true });
    askReview();
  };

  const giveUp = () => {
    before = state;
    end("lost");
  };

  // New code and Give up are undone; no guess is.
  const takeBack = () => {
    if (figuresBefore) keepFigures(tree, figuresBefore);
    change(before, undefined);
  };

  const submit = () => {
    const colors = entry.colors();
    if (colors.includes(null) || isOver()) return;
    const guess = game.indexOf(colors);
    if (guess === undefined) {
      say(message, isWords ? "That word is not in the list."
        : "That is no code of this game: a color stands there too often.", "bad");
      return;
    }
    const breach = findBreach(game, ruleOfPlay(tree), [...tree.start, ...state.moves], guess);
    if (breach) {
      say(message, `Not in hard mode: ${breach}.`, "bad");
      return;
    }
    const response = game.respond(guess, state.secret);
    [before, figuresBefore] = [undefined, undefined];
    set({ ...state, moves: [...state.moves, [guess, response]] });
    const isFound = isEnd(game, response, remaining().length);
    const markFresh = () => board.children[state.moves.length - 1]?.classList.add("fresh", ...(isFound ? ["won"] : []));
    markFresh();
    limit = limitFor(state.moves.length - 1, limit);
    spoken.textContent = `Guess ${state.moves.length}, ${describeCode(game, guess)}: ` +
      `${describeResponse(game, response)}. ${plural(remaining().length, "option")} left.`;
    if (isFound) end("won");
    else if (state.moves.length >= limit) end("lost");
    if (isOver()) markFresh();
    if (isFound) celebrate(board);
  };

  // An answer counts as long as the game it was asked for is on the board.
  const askAbout = async (question) => {
    const asked = state;
    const isWanted = () => asked.moves === state.moves;
    const told = await ask(tree, { history: asked.moves, ...question }, isWanted);
    return isWanted() ? told : undefined;
  };

  const tellBest = async () => {
    say(message, "Looking for the best guess…");
    const told = await askAbout({ ask: "advise", many: 3 });
    if (!told || isOver()) return;
    const best = told.list.find(({ guess }) => guess === told.planned) ?? told.list[0];
    const who = best.guess === told.planned ? "The tree plays " : "The best guess known is ";
    say(message, () => [who, spell(game, best.guess),
      ` (${best.kind === "estimate" ? "≈ " : ""}${(best.total / told.n).toFixed(2)} guesses expected).`]);
  };

  const askReview = async () => {
    if (!state.moves.length) return;
    review.replaceChildren(make("p.hint", {}, "Reviewing…"));
    const told = await askAbout({ ask: "review" });
    if (!told) return;
    reviewed = told;
    drawReview();
  };

  const drawReview = () =>
    showReview(review, game, reviewed, (at) => openAnalysis(state.moves.slice(0, at)));

  const clearFigures = () => {
    keepFigures(tree, { lengths: {}, lost: 0, streak: 0, longest: 0 });
    drawFigures();
  };

  const drawFigures = () => {
    const average = tree.meta.total && (tree.meta.total / tree.root.candidates.length).toFixed(3);
    showFigures(figures, recallFigures(tree), average, clearFigures);
  };

  const show = () => {
    const { moves } = state;
    panel.dataset.over = isOver() ? "yes" : "no";
    if (!isOver()) limit = limitFor(moves.length, limit);
    const number = Math.min(moves.length + (isOver() ? 0 : 1), limit);
    status.textContent = `${state.day ? `Code of ${state.day} · ` : ""}Guess ${number} / ${limit} · Remaining options: ${count(remaining().length)}`;
    board.replaceChildren(...moves.map(([guess, response], at) => row(game, at + 1, guess, response,
      response === game.win ? "found" : `${count(lefts[at + 1].length)} left`)),
    ...blankRows(game, moves.length, limit));
    board.children[moves.length - 1]?.scrollIntoView({ block: "nearest" });
    form.hidden = isOver();
    for (const one of [reveal, advise, clear]) one.hidden = isOver();
    reviewing.disabled = !moves.length;
    undo.hidden = !before;
    share.hidden = !isOver();
    drawFigures();
    showCodes(remaining());
  };

  panel.onkeydown = (event) => {
    if (isOver() || event.target.closest("summary, .aside") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      if (event.target.closest("button:not(.slot)")) return;
      event.preventDefault();
      submit();
      if (!isOver()) entry.slots.querySelector(".cursor")?.focus();
    } else entry.type(event);
  };

  set(recallGame(tree) ?? { secret: pickRandom(), moves: [], over: "" });
  if (isOver()) askReview();
  return () => {
    entry.redraw();
    sayAgain(message);
    if (reviewed) drawReview();
    show();
  };
};
