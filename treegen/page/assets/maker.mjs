// You hide a code and answer; the tree guesses.
import { makeAnswer, tellImpossible } from "./answer.mjs";
import { answerEvilly, count, filterSecrets, findConflict, isEnd, isKnown, plural } from "./engine.mjs";
import { makeHider } from "./secret.mjs";
import { makeLegend } from "./lesson.mjs";
import { gameKey, readHistory, tabStore } from "./store.mjs";
import { expand, follow, step } from "./tree.mjs";
import {
  describeCode, describeResponse, fillBoard, limitFor, make, makeCurrent, makeRemaining, makeSpoken, marks, pegs,
  pins, row, say, sayAgain, spell, usualLimit,
} from "./ui.mjs";

// Answers that are wrong: which, and what to say to the player.
export const tellConflict = (game, answers, secrets, nameOne) => {
  const wrong = findConflict(game, answers, secrets);
  const names = () => wrong.flatMap((index, place) => [
    place ? "; " : "", `${nameOne(index)} (`, spell(game, answers[index][0]),
    `: ${describeResponse(game, answers[index][1])})`]);
  const text = () => wrong.length === 1
    ? [`No ${game.noun} answers so: `, ...names(), "."]
    : ["These answers cannot all be true: ", ...names(), "."];
  return { wrong, text };
};

const MOST_ANSWERS = 30;

export const startMaker = (panel, tree) => {
  const { game } = tree;
  const history = [];
  const states = [tree.root];
  let wrong = [];
  let limit = usualLimit(tree);

  const status = make("p.status");
  const spoken = makeSpoken();
  const board = make("ol.board", { "aria-label": "Guesses and answers" });
  const answer = makeAnswer(game);
  const send = make("button.primary", { onclick: () => submit() }, "Answer");
  const shown = make("span");
  const current = makeCurrent(shown, answer.element, send);
  const message = make("p.message", { role: "status" });
  const [remaining, showRemaining] = makeRemaining(game);
  const splits = make("ul.answers");
  const possible = make("details.remaining", {}, make("summary", {}, "Possible answers"), splits);
  possible.open = matchMedia("(min-width: 46rem)").matches;
  const undo = make("button", { onclick: () => takeBack() }, "Undo");
  const again = make("button", { onclick: () => restart() }, "New game");
  const ask = game.rule === "position"
    ? "Think of a word of the list; click letters grey, yellow, green."
    : `Think of a ${game.noun}; click pins or press ${game.rule === "black" ? "B" : "B and W"}, then Enter.`;
  const hider = makeHider(tree, message, (isSame) => (isSame ? show(false) : restart()));
  panel.replaceChildren(status, spoken, make("div.desk", {}, board, makeLegend(game)),
    make("div.dock", {}, hider.element, message, make("div.buttons", {}, undo, again)),
    make("div.aside", {}, possible, remaining));

  const storeKey = `maker ${tree.name} ${gameKey(tree)}`;
  const isWon = () => isKnown(game, states.at(-1).candidates.length)
    || history.length > 0 && isEnd(game, history.at(-1)[1], states.at(-1).candidates.length);

  const submit = () => {
    const given = answer.read();
    const { guess } = states.at(-1);
    if (given === undefined) {
      say(message, tellImpossible(game), "bad");
      return;
    }
    const known = findAnswer();
    if (known !== undefined && given !== known) {
      say(message, () => ["Look again: for your ", game.noun, " the guess ", spell(game, guess), ` has another answer${tellWhich(given, known)}.`], "bad");
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
    goOn();
  };

  const goOn = () => {
    answer.reset();
    wrong = [];
    say(message, "");
    show(true);
  };

  // The answer of a code that is hidden here, or of the evil code-maker; undefined where a person thinks of one.
  const findAnswer = () => {
    const { guess, candidates } = states.at(-1);
    if (hider.isEvil()) return answerEvilly(game, guess, candidates);
    return hider.secret() === undefined ? undefined : game.respond(guess, hider.secret());
  };

  // Which kind of pins is wrong, and not how many there are.
  const tellWhich = (given, known) => {
    const [one, other] = [given, known].map(game.marksOf);
    if (game.rule === "position") return `: letter ${one.findIndex((mark, at) => mark !== other[at]) + 1} is not so`;
    return one[0] === other[0] ? "; the white pins are not right" : "; the black pins are not right";
  };

  const explain = (answers) => {
    const conflict = tellConflict(game, answers, tree.root.candidates, (index) =>
      index === history.length ? "this answer" : `guess ${index + 1}`);
    wrong = conflict.wrong;
    say(message, () => [...conflict.text(), wrong.length > 1 ? " Change this answer, or undo." : ""], "bad");
    show(false);
  };

  const takeBack = () => {
    if (history.length) {
      history.pop();
      states.pop();
    }
    goOn();
  };

  const restart = () => {
    history.length = 0;
    states.length = 1;
    const seed = tree.renew?.();
    if (seed !== undefined) tabStore.keep("seed", seed);
    goOn();
    if (current.isConnected) answer.focus();
  };

  const type = (event) => {
    if (hider.isAsking() && !event.target.closest("button:not(.slot), summary, input")) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") event.preventDefault();
      hider.type(event);
      return;
    }
    if (!current.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && !event.target.closest("button:not([data-pin]), summary, input")) {
      event.preventDefault();
      submit();
    } else answer.type(event);
  };

  // The next guess and, where not all guesses were compared, among how many it is the best.
  const showGuess = () => {
    const state = states.at(-1);
    const { guess } = state;
    const words = make("span.hidden", {}, `The guess is ${describeCode(game, guess)}.`);
    shown.replaceChildren(words, game.rule === "position" ? "" : pegs(game, guess));
    answer.recolor(game.codes[guess]);
    if (hider.isAuto()) answer.fill(findAnswer());
    const compared = tree.compared?.(state);
    if (compared) say(message, `The best of ${count(compared)} guesses that were compared, not of all ${count(game.nCodes)}.`, "hint");
  };

  // What was answered, and what is guessed next.
  const speak = () => {
    const last = history.at(-1);
    const answered = last ? `Answered ${describeResponse(game, last[1])}. ` : "";
    spoken.textContent = answered + (current.isConnected
      ? `Guess ${history.length + 1} is ${describeCode(game, states.at(-1).guess)}. ${status.textContent}`
      : status.textContent);
  };

  // How many candidates each answer to the guess would leave.
  const showAnswers = () => {
    const state = states.at(-1);
    possible.hidden = isWon() || hider.isAsking();
    if (possible.hidden) return;
    const children = expand(tree, state);
    const cells = children.map(({ response, candidates }) => [response, candidates.length]);
    if (state.wins) cells.push([game.win, 1]);
    const shown = cells.length <= MOST_ANSWERS ? cells : [...cells].sort(([, a], [, b]) => b - a).slice(0, MOST_ANSWERS);
    const most = Math.max(...cells.map(([, size]) => size));
    splits.replaceChildren(...shown.map(([response, size]) => {
      const bar = make("span.bar");
      bar.style.width = `${(100 * size) / most}%`;
      return make("li", {}, make("span.hidden", {}, `${describeResponse(game, response)}: `),
        make("span.answer", { "aria-hidden": "true" }, marks(game, response)), pins(game, response),
        make("span.track", { "aria-hidden": "true" }, bar),
        make("span.count", {}, response === game.win ? "wins" : plural(size, game.noun)));
    }), ...cells.length > shown.length ? [make("li", {}, make("span.rest", {}, `and ${count(cells.length - shown.length)} answers with fewer ${game.noun}s`))] : []);
  };

  const show = (moveFocus) => {
    const left = states.at(-1).candidates.length;
    limit = isWon() ? limit : limitFor(tree, history.length, limit);
    const isOver = isWon() || history.length >= limit || hider.isAsking();
    status.textContent = isWon()
      ? history.length ? `${history.at(-1)[1] === game.win ? "Found" : "Identified"} in ${history.length}` : "Identified without a guess"
      : `${history.length >= limit ? `Not found in ${history.length}` : `Guess ${history.length + 1} / ${limit}`} · Remaining options: ${count(left)}`;
    panel.dataset.over = isOver ? "yes" : "no";
    fillBoard(board, tree, history.map(([guess, given], index) =>
      row(game, index + 1, guess, given,
        given === game.win ? "found" : `${count(states[index + 1].candidates.length)} left`,
        wrong.includes(index))), isOver ? undefined : current, limit);
    undo.disabled = !history.length;
    showRemaining(states.at(-1).candidates);
    showAnswers();
    if (isWon()) {
      say(message, () => [hider.isEvil() ? `The ${game.noun} is ` : `Your ${game.noun} is `, spell(game, states.at(-1).candidates[0], ".")], "good");
      if (moveFocus) again.focus({ preventScroll: true });
    } else if (hider.isAsking()) {
      say(message, `Put your ${game.noun} into the holes: the page hides it from the tree.`, "hint");
    } else if (history.length >= limit) {
      say(message, `All ${limit} guesses are used up.`, "bad");
    } else {
      if (wrong.length) sayAgain(message);
      else say(message, history.length ? "" : hider.isAuto() ? "The pins are set: press Answer." : ask, "hint");
      showGuess();
      if (moveFocus) answer.focus();
    }
    tabStore.keep(storeKey, history);
    if (moveFocus) speak();
    (isOver ? board.children[tree.start.length + history.length - 1] : current)?.scrollIntoView({ block: "nearest" });
  };

  // What was played in this tab continues, as far as the tree has it.
  const recall = () => {
    const kept = readHistory(tree, tabStore.recall(storeKey));
    const path = follow(tree, kept.map(([, given]) => given));
    const isWhole = kept.every(([guess, given], at) => path[at]?.guess === guess
      && (path[at + 1] || given === game.win && path[at].candidates.includes(guess)));
    if (!isWhole) return;
    for (const [guess, given] of kept) {
      states.push(given === game.win ? { candidates: filterSecrets(game, [[guess, given]]) } : path[states.length]);
      history.push([guess, given]);
    }
  };

  panel.onkeydown = type;
  recall();
  answer.reset();
  show(false);
  return () => {
    hider.show();
    show(false);
  };
};
