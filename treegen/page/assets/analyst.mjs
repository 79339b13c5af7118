// A position to analyse: guesses and answers of a game played elsewhere, the best guesses, a review.
import { makeAnswer, tellImpossible } from "./answer.mjs";
import { count, filterSecrets, isEnd, plural } from "./engine.mjs";
import { BUDGET } from "./breaker.mjs";
import { explainChoice } from "./explain.mjs";
import { learnMarks, makeEntry } from "./entry.mjs";
import { makeLegend } from "./lesson.mjs";
import { tellConflict } from "./maker.mjs";
import { showAdvice, showReview } from "./report.mjs";
import { linkToGame } from "./share.mjs";
import { gameKey, readHistory, tabStore } from "./store.mjs";
import {
  describeCode, fillBoard, guessesOf, make, makeCurrent, makeRemaining, makeSpoken, row, say, sayAgain, spell,
} from "./ui.mjs";

export const keepAnalysis = (tree, moves) => tabStore.keep(`analyst ${gameKey(tree)}`, moves);

export const recallAnalysis = (tree) => readHistory(tree, tabStore.recall(`analyst ${gameKey(tree)}`));

// The guess that was tried in a position stands under the best one.
export const startAnalyst = (panel, tree, ask, openAnalysis, showPlace, tried) => {
  const { game } = tree;
  const isWords = game.rule === "position";
  const { readResult } = globalThis.words ?? {};
  const hint = `Enter the guesses and answers of a game played anywhere${readResult ? ", or paste its result" : ""}: the best next guesses follow.`;
  let moves = recallAnalysis(tree);
  let wrong = [];
  let end = -1;
  let advised, reviewed, explained;

  const status = make("p.status");
  const spoken = makeSpoken();
  const board = make("ol.board", { "aria-label": "Guesses and answers" });
  const message = make("p.message", { role: "status" });
  const answer = makeAnswer(game, "Its answer");
  const add = make("button.primary", { onclick: () => submit() }, "Add");
  const entry = makeEntry(game, add, message, { answer: isWords && answer });
  const current = makeCurrent(entry.slots, isWords ? "" : answer.element, entry.isKeyboard ? "" : add);
  current.onclick = (event) => event.target.closest("button") || entry.focus();
  const button = (text, action) => make("button", { onclick: action }, text);
  const clear = button("Start over", () => change([]));
  const back = button("Undo", () => change(moves.slice(0, -1)));
  const link = make("a", {}, "Link to this position");
  const advice = make("div.best", { "aria-live": "polite" });
  const review = make("div.review");
  const [codes, showCodes] = makeRemaining(game);
  const shared = make("textarea", { rows: 6, "aria-label": `Guesses with their ${isWords ? "squares" : "pins"}, or guesses alone`, spellcheck: "false" });
  const secret = make("input", { size: 12, autocomplete: "off", spellcheck: "false" });
  const fault = make("p.message", { role: "status" });
  const paste = make("details.card.paste", {}, make("summary", {}, "Paste a result"),
    make("p", {}, isWords ? "Words with their colored squares, as people share them, or words alone." : "Guesses with their pins, as 1122:02 or 1122 ●○, or guesses alone."),
    shared, make("label", {}, `The ${game.noun}, if no ${isWords ? "squares" : "pins"} show the answers: `, secret),
    button("Read", () => readShared(shared.value)), fault);
  panel.replaceChildren(status, spoken, make("div.desk", {}, board, makeLegend(game)),
    make("div.dock", {}, message, make("div.entry", {}, entry.palette), make("div.buttons", {}, back, clear, link)),
    make("div.aside", {}, readResult ? paste : "", advice, review, codes));

  // After how many guesses the game was over, -1 before: what follows the end changes nothing.
  const findEnd = () => [[], ...moves].findIndex(([, response], at) =>
    isEnd(game, response, filterSecrets(game, moves.slice(0, at), tree.root.candidates).length));

  const set = (next, guess) => {
    [moves, tried] = [next, guess];
    keepAnalysis(tree, moves);
    showPlace();
    answer.reset();
    entry.clear();
    say(message, moves.length ? "" : hint, "hint");
    show();
    analyse();
  };

  // The buttons that change a position are often gone after it.
  const change = (next) => {
    set(next);
    (end < 0 ? entry : back).focus({ preventScroll: true });
  };

  const readShared = (text) => {
    const found = readResult(tree, text, secret.value);
    [shared.value, paste.open] = [text, !found.moves];
    if (found.moves) {
      [shared.value, secret.value] = ["", ""];
      say(fault, "");
      change(found.moves);
      if (!wrong.length) say(message, `${guessesOf(moves.length)} read.`, "good");
      status.scrollIntoView({ block: "nearest" });
    } else {
      say(fault, found.problem, "bad");
      (found.isOpen ? secret : shared).focus();
    }
  };

  panel.onpaste = (event) => {
    if (!readResult || event.target.closest("input, textarea")) return;
    event.preventDefault();
    readShared(event.clipboardData.getData("text"));
  };

  const submit = () => {
    const guess = entry.read();
    const response = answer.read();
    if (guess === undefined) return;
    if (response === undefined) say(message, tellImpossible(game), "bad");
    else {
      change([...moves, [guess, response]]);
      spoken.textContent = `${describeCode(game, guess)} entered. ${status.textContent}`;
    }
  };

  const analyse = async () => {
    advised = reviewed = undefined;
    review.replaceChildren();
    advice.replaceChildren();
    if (wrong.length) return;
    const asked = moves;
    const isWanted = () => asked === moves && panel.contains(advice);
    // First within a budget; where that was not enough, once more without.
    for (const budget of [BUDGET, undefined]) {
      if (end < 0 && (!advised || advised.isCut)) {
        if (!advised) advice.replaceChildren(make("p.hint", {}, "Looking for the best guesses…"));
        const found = await ask(tree, { ask: "advise", history: asked, tried, budget }, isWanted);
        if (!isWanted()) return;
        advised = found;
        explained = explain(found.planned);
        draw();
      }
      if (asked.length && (!reviewed || reviewed.isCut)) {
        const found = await ask(tree, { ask: "review", history: asked, budget }, isWanted);
        if (!isWanted()) return;
        reviewed = found;
        draw();
      }
    }
  };

  const explain = (planned) => {
    const text = planned !== undefined && explainChoice(tree, filterSecrets(game, moves, tree.root.candidates), planned);
    return text ? () => ["Why the tree plays ", spell(game, planned, ":"), ` ${text}`] : undefined;
  };

  const draw = () => {
    if (advised && tree.isComputed && ruleOfPlay(tree)) explained = () => ["The page has no tree of hard mode: it estimates (≈) what these guesses need."];
    if (advised) showAdvice(advice, game, advised, { choose: entry.fill, why: explained, tried });
    if (reviewed) showReview(review, game, reviewed, (at) => openAnalysis(moves.slice(0, at), moves[at][0]));
  };

  // A row, with a button that takes it out.
  const enteredRow = ([guess, response], at) => {
    const element = row(game, at + 1, guess, response, "", wrong.includes(at));
    element.append(make("button.remove", {
      "aria-label": `Remove guess ${at + 1}`, onclick: () => change(moves.filter((_, other) => other !== at)),
    }, "×"));
    return element;
  };

  const show = () => {
    const left = filterSecrets(game, moves, tree.root.candidates);
    const conflict = left.length ? undefined
      : tellConflict(game, moves, tree.root.candidates, (index) => `guess ${index + 1}`);
    wrong = conflict?.wrong ?? [];
    if (conflict) say(message, () => [...conflict.text(), " Remove one or enter it anew."], "bad");
    end = wrong.length ? -1 : findEnd();
    const isOver = end >= 0;
    status.textContent = isOver ? end ? `${moves[end - 1][1] === game.win ? "Found" : "Identified"} in ${end}` : "Identified without a guess" : `${plural(moves.length, "answer")} entered · Remaining options: ${count(left.length)}`;
    fillBoard(board, tree, moves.map(enteredRow), isOver ? undefined : current, 0);
    add.hidden = isOver;
    if (isOver && !moves.length) advice.replaceChildren();
    back.disabled = clear.disabled = !moves.length;
    link.href = linkToGame(tree, moves);
    link.hidden = !moves.length;
    entry.redraw(learnMarks(game, moves));
    showCodes(left);
  };

  panel.onkeydown = (event) => {
    if (event.target.closest("summary, .aside") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      if (event.target.closest("button:not(.slot, .pin)") || !current.isConnected) return;
      event.preventDefault();
      submit();
    } else if (event.target.closest("[data-pin]")) answer.type(event);
    else if (!entry.type(event)) answer.type(event, false);
  };

  set(moves, tried);
  return () => {
    sayAgain(message);
    show();
    draw();
  };
};
