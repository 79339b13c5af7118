// The page hides a code; you guess, and see what each guess has cost.
import { SHORTLIST } from "./advisor.mjs";
import { answerEvilly, count, filterSecrets, findBreach, isEnd, isKnown, plural, ruleOfPlay } from "./engine.mjs";
import { makeInvite } from "./challenge.mjs";
import { makeSendBack } from "./classroom.mjs";
import { findHarder } from "./choices.mjs";
import { learnMarks, makeEntry } from "./entry.mjs";
import { makeLegend, makeWelcome } from "./lesson.mjs";
import { makePossible } from "./possible.mjs";
import { showFigures, showReview } from "./report.mjs";
import { makeShare, pickCode, today } from "./share.mjs";
import { makeSteps } from "./steps.mjs";
import { playOut } from "./tree.mjs";
import { celebrate } from "./confetti.mjs";
import {
  NO_FIGURES, countGame, gameKey, keepDaily, keepFigures, readHistory, recallDaily, recallFigures, tabStore,
} from "./store.mjs";
import {
  capital, describeCode, describeResponse, drawCells, fillBoard, guessesOf, limitFor, make, makeCurrent,
  makeRemaining, makeSpoken, nameOf, nameOpponent, peg, row, say, sayAgain, settings, solutionRow, spell, usualLimit,
} from "./ui.mjs";

// An exact search in the page has this many milliseconds until an estimate stands in for it.
export const BUDGET = 1000;

const random = (limit) => {
  const largest = Math.floor(2 ** 32 / limit) * limit;
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return number < largest ? number % limit : random(limit);
};

// A game in progress: { secret, moves: [guess, response][], day, over: "" | "won" | "lost", hinted, isRetry, beat }: the
// day of a daily code, before which moves a hint was taken, whether a finished game was gone back to, the guesses of
// a friend who sent it as a challenge, 0 where these are not known. That of a class has its word and a ticket. An evil code-maker has no secret until the game
// is over.
const recallGame = (tree) => {
  const kept = tabStore.recall(`breaker ${gameKey(tree)}`);
  const candidates = tree.root.candidates;
  if (!kept || !(kept.isEvil || candidates.includes(kept.secret)) || kept.word && pickCode(tree, kept.word) !== kept.secret) return undefined;
  const moves = readHistory(tree, kept.moves);
  const isTrue = kept.isEvil ? filterSecrets(tree.game, moves, candidates).length
    : moves.every(([guess, response]) => tree.game.respond(guess, kept.secret) === response);
  const listOf = (one) => (Array.isArray(one) ? one : []);
  const over = ["won", "lost"].includes(kept.over) ? kept.over : "";
  return isTrue ? { ...kept, moves, over, hinted: listOf(kept.hinted), crossed: listOf(kept.crossed) } : undefined;
};

// A challenge, if there is one, begins at once.
export const startBreaker = (panel, tree, ask, openAnalysis, playNamed, challenge) => {
  const { game } = tree;
  const isWords = game.rule === "position";
  const invitation = `Drag, click or type ${isWords ? "letters" : "colors"}; Enter guesses.`;
  let state, before, figuresBefore, lefts, hint;
  let limit = usualLimit(tree);
  let reviewed;

  const status = make("p.status");
  const spoken = makeSpoken();
  const board = make("ol.board", { "aria-label": "Your guesses" });
  const message = make("p.message", { role: "status" });
  const button = (text, action, kind = "button") => make(kind, { onclick: action }, text);
  const send = button("Guess", () => submit(), "button.primary");
  const entry = makeEntry(game, send, message, { crossed: {
    list: () => state.crossed ?? [],
    keep: (crossed) => {
      state = { ...state, crossed };
      keep();
    },
  } });
  const current = makeCurrent(entry.slots, entry.isKeyboard ? "" : send);
  current.onclick = (event) => event.target.closest("button") || entry.focus();
  const reveal = button("Give up", () => giveUp());
  const codeButton = (word, action, more) => make("button", { onclick: action, ...more, "aria-label": `${word} ${game.noun}` },
    word, make("span.long", {}, ` ${game.noun}`));
  const again = codeButton("New", () => begin(pickRandom()));
  const daily = codeButton("Daily", () => begin(pickCode(tree, today()), today()), { "data-daily": "" });
  const harder = findHarder(tree);
  const climb = button(`Next: ${harder?.[1]}`, () => {
    playNamed(harder[0]);
    panel.querySelector(".slot").focus();
  }, "button.primary");
  const undo = make("button", { onclick: () => takeBack(), "aria-label": "Undo" }, "↶", make("span.long", {}, " Undo"));
  const advise = button("Hint", () => giveHint());
  const reviewing = button("Review", () => askReview());
  const [codes, showCodes] = makeRemaining(game);
  const review = make("div.review", { "aria-live": "polite" });
  const share = makeShare(tree, () => ({
    moves: state.moves, day: state.day, isWon: state.over === "won", rivals: listRivals().map(([, name, length]) => [name, length]),
    help: tellHelp(), skill: reviewed?.skill,
  }), (said) => makeInvite(tree, () => ({ ...state, length: isFair() ? state.moves.length : 0 }), said));
  const figures = make("div.figures");
  const duel = make("div.card.duel");
  const form = make("div.entry", {}, entry.palette);
  const steps = make("div");
  const sendBack = make("div.sendback");
  const [rules, markRead] = makeWelcome(game, () => entry.focus());
  const [possible, showPossible] = makePossible(game, tree.root.candidates.length);
  panel.replaceChildren(status, spoken, make("div.desk", {}, board, makeLegend(game)),
    make("div.dock", {}, message, sendBack, form, steps,
      make("div.buttons", {}, climb, advise, reviewing, reveal, undo, again, daily)),
    make("div.aside", {}, rules, duel, review, share, possible, codes, figures));

  const tellHelp = () => [state.isRetry ? "second try" : "",
    state.hinted.length ? `with ${plural(state.hinted.length, "hint")}` : ""].filter(Boolean).join(", ");
  const isOver = () => state.over !== "" || isKnown(game, remaining().length);
  const isVeiled = () => settings.veiled && !isOver();
  const pickRandom = () => tree.root.candidates[random(tree.root.candidates.length)];
  const remaining = () => lefts.at(-1);

  const keep = () => tabStore.keep(`breaker ${gameKey(tree)}`, state);

  // Put a game on the board; the one before can be brought back.
  const set = (next) => {
    state = next;
    lefts = [tree.root.candidates];
    for (const move of state.moves) lefts.push(filterSecrets(game, [move], lefts.at(-1)));
    keep();
    [reviewed, hint] = [undefined, { stage: 0 }];
    review.replaceChildren();
    entry.clear();
    entry.redraw(learnMarks(game, state.moves));
    announce();
    show();
  };

  const tellEnd = () => {
    if (!state.moves.length && state.over !== "lost") return "Identified without a guess";
    const verb = state.over === "lost" ? "Not found" : state.moves.at(-1)[1] === game.win ? "Found" : "Identified";
    return `${verb} in ${state.moves.length}`;
  };

  const tellLength = () => [guessesOf(state.moves.length), tellHelp()].filter(Boolean).join(", ");

  const announce = () => {
    if (state.over === "won") say(message, () => state.moves.at(-1)[1] === game.win
      ? `Found with ${tellLength()}.`
      : [`The ${game.noun} is `, spell(game, state.secret, ":"), ` identified with ${tellLength()}.`], "good");
    else if (state.over === "lost") say(message, () => [
      state.moves.length >= limit ? `All ${limit} guesses are used up. ` : "",
      `The ${game.noun} ${state.isEvil && remaining().length > 1 ? "could have been" : "was"} `, spell(game, state.secret, ".")], "bad");
    else if (isOver()) say(message, () => [`The ${game.noun} is `, spell(game, state.secret, ":"), " nothing is left to ask."], "good");
    else say(message, state.moves.length ? "" : state.word ? `Your whole class looks for this ${game.noun}. Your teacher will see your guesses, and how many hints you took.` : invitation, "hint");
  };

  const change = (next, past, said) => {
    [before, figuresBefore] = [past, undefined];
    set(next);
    spoken.textContent = `${said} ${status.textContent}`;
  };

  // The keys are the new game's, not those of the button that began it.
  const begin = (secret, day) => {
    change({ secret, day, isEvil: settings.evil && !day, moves: [], over: "", hinted: [] }, state, "A new game.");
    if (!isOver()) entry.focus();
  };

  // A code of the day counts once.
  const isPractice = () => state.day !== undefined && recallDaily(tree, state.day) !== undefined;

  // Whether a friend may be asked to beat it: found at the first try, without help.
  const isFair = () => state.over === "won" && !tellHelp() && (!state.day || recallDaily(tree, state.day) === state.moves.length);

  // A challenge counts only where its code is that of the day, which nobody chose.
  const isRated = () => !isPractice() && !state.isEvil && !state.isRetry && (state.beat === undefined || state.day);

  const end = (over) => {
    const length = over === "won" ? state.moves.length : 0;
    if (isRated()) figuresBefore = countGame(tree, length, state.hinted.length > 0);
    if (!isPractice() && state.day) keepDaily(tree, state.day, length);
    set({ ...state, over, secret: state.isEvil ? remaining()[0] : state.secret });
    again.focus({ preventScroll: true });
    askReview();
  };

  const giveUp = () => {
    before = state.day ? undefined : state;
    end("lost");
  };

  // New code and Give up are undone; no guess is, nor what counts for a day.
  const takeBack = () => {
    if (figuresBefore) keepFigures(tree, figuresBefore);
    change(before, undefined, "Back to the game before.");
    if (isOver()) askReview();
    (isOver() ? again : entry).focus({ preventScroll: true });
  };

  // A finished game continues before a mistake, with any code that the answers up to there allow: the old one is known.
  const retry = (at) => {
    const secret = lefts[at][random(lefts[at].length)];
    const hinted = state.hinted.filter((one) => one < at);
    change({ ...state, secret, moves: state.moves.slice(0, at), day: undefined, beat: undefined, word: undefined, over: "", hinted, isRetry: true }, state, "");
    entry.focus();
  };

  const submit = () => {
    if (isOver()) return;
    const guess = entry.read();
    if (guess === undefined) return;
    const breach = findBreach(game, ruleOfPlay(tree), [...tree.start, ...state.moves], guess);
    if (breach) {
      entry.refuse(`Not in hard mode: ${breach}.`);
      return;
    }
    const response = state.isEvil ? answerEvilly(game, guess, remaining()) : game.respond(guess, state.secret);
    markRead();
    [before, figuresBefore] = [undefined, undefined];
    set({ ...state, moves: [...state.moves, [guess, response]] });
    const isFound = isEnd(game, response, remaining().length);
    const markFresh = () => lastRow()?.classList.add("fresh", ...(isFound ? ["won"] : []));
    markFresh();
    limit = limitFor(tree, state.moves.length - 1, limit);
    spoken.textContent = `Guess ${state.moves.length}, ${describeCode(game, guess)}: ` +
      `${describeResponse(game, response)}.${isVeiled() ? "" : ` ${plural(remaining().length, "option")} left.`}`;
    if (isFound) end("won");
    else if (state.moves.length >= limit) end("lost");
    if (isOver()) markFresh();
    if (isFound) celebrate(board);
  };

  const lastRow = () => board.children[tree.start.length + state.moves.length - 1];

  // An answer counts as long as the game it was asked for is on the board. One that was cut at the budget
  // is shown, and asked for again.
  const askAbout = async (question, use) => {
    const asked = state;
    const isWanted = () => asked.moves === state.moves;
    for (const budget of [BUDGET, undefined]) {
      const found = await ask(tree, { history: asked.moves, ...question, budget }, isWanted);
      if (!isWanted()) return;
      use(found);
      if (!found.isCut) return;
    }
  };

  // A hint says whether a guess could be the code, then one peg of the best guess known, then all of it.
  const giveHint = () => {
    hint.stage = Math.min(hint.stage + 1, 3);
    if (hint.advice) tellHint();
    if (hint.isAsked) return;
    hint.isAsked = true;
    say(message, "Looking for the best guess…");
    askAbout({ ask: "advise", many: SHORTLIST }, (found) => {
      if (isOver()) return;
      hint.advice = found;
      tellHint();
    });
  };

  const tellHint = () => {
    const { hinted, moves } = state;
    state = { ...state, hinted: [...new Set([...hinted, moves.length])] };
    keep();
    say(message, () => [tellPossible, tellPeg, tellGuess][hint.stage - 1](hint.advice.list[0]));
  };

  // The best guess is known where a search has found it, or the tree is proved.
  const nameBest = ({ kind }) => (kind === "exact" || kind === "proved" ? "The best next guess" : "A good next guess");

  const tellPossible = (best) => {
    const yours = entry.colors().includes(null) ? undefined : game.indexOf(entry.colors());
    const isPossible = yours === undefined ? best.isCandidate : remaining().includes(yours);
    const verdict = `${isPossible ? "could" : "cannot"} be the ${game.noun}`;
    const opening = yours !== undefined ? `Your guess ${verdict}.` : hint.advice.n === 1 ? `Only one ${game.noun} fits all answers.`
      : `${nameBest(best)} ${verdict}${isPossible ? "." : ", but its answer helps more."}`;
    return [opening, ` Hint again shows one ${isWords ? "letter" : "peg"}.`];
  };

  const tellPeg = (best) => {
    const code = game.codes[best.guess];
    const at = Math.max(0, code.findIndex((color, place) => color !== entry.colors()[place]));
    return [`${nameBest(best)} has `, make("span", {}, make("span.hidden", {}, nameOf(game, code[at])), peg(game, code[at])),
      ` in place ${at + 1}. Hint again shows all of it.`];
  };

  const tellGuess = (best) => {
    const { planned, list, n } = hint.advice;
    const figure = ({ kind, total }) => `${kind === "estimate" ? "about " : ""}${(total / n).toFixed(2)} guesses to the end`;
    const theirs = list.find(({ guess }) => guess === planned);
    const place = make("button", { onclick: () => {
      entry.fill(best.guess);
      entry.focus();
    } }, "Place it");
    if (n === 1) return [`The only ${game.noun} left: `, spell(game, best.guess, "."), " ", place];
    return [`${nameBest(best)} is `, spell(game, best.guess, ":"), ` ${figure(best)}. It leaves at most ${count(best.worst)} of ${count(n)} ${game.noun}s. `, place,
      ...!theirs ? [] : theirs === best ? [" The tree plays it, too."] : [" The tree plays ", spell(game, planned, ":"), ` ${figure(theirs)}.`], drawCells(game, best.cells)];
  };

  const askReview = () => {
    if (!state.moves.length) return;
    review.replaceChildren(make("p.hint", {}, "Reviewing…"));
    const isGivenUp = state.over === "lost" && state.moves.length < limit;
    askAbout({ ask: "review", hinted: state.hinted, isGivenUp }, (found) => {
      reviewed = found;
      drawReview();
    });
  };

  const drawReview = () => showReview(review, game, reviewed,
    (at) => openAnalysis(state.moves.slice(0, at), state.moves[at][0]), state.hinted, isOver() ? retry : undefined);

  // The tree's game for the same code beside yours.
  const findRival = () => state.over === "" || state.isEvil || tree.isComputed ? undefined : playOut(tree, state.secret);

  // Who played the same code, a friend before the tree: [name, in scores, guesses].
  const listRivals = () => [
    ...state.over && state.beat ? [["your friend", "friend", state.beat]] : [],
    ...findRival() ? [[nameOpponent(tree), "tree", findRival().length]] : []];

  const drawDuel = () => {
    const theirs = findRival();
    const rivals = listRivals();
    duel.hidden = !rivals.length;
    if (duel.hidden) return;
    const [first, , length] = rivals[0];
    const name = nameOpponent(tree);
    const ahead = (state.over === "won" ? state.moves.length : Infinity) - length;
    duel.replaceChildren(make("h2", {}, state.isRetry ? "Your second try" : state.hinted.length ? `You played ${tellHelp()}` : ahead < 0 ? `You beat ${first}` : ahead ? `${capital(first)} beats you` : `You and ${first} are equal`),
      make("p", {}, `You: ${state.over === "won" ? tellLength() : "not found"}.${rivals.map(([who, , guesses]) => ` ${capital(who)}: ${guessesOf(guesses)}.`).join("")}`),
      !theirs ? "" : make("details", {}, make("summary", {}, `The game of ${name}`),
        make("ol.board", { "aria-label": `The game of ${name}` }, ...theirs.map(({ guess }, at) => row(game, at + 1, guess, game.respond(guess, state.secret))))));
  };

  const clearFigures = () => {
    keepFigures(tree, NO_FIGURES);
    drawFigures();
    again.focus();
  };

  const drawFigures = () => {
    const average = tree.meta.total && (tree.meta.total / tree.root.candidates.length).toFixed(3);
    showFigures(figures, recallFigures(tree), average, clearFigures);
  };

  const show = () => {
    const { moves } = state;
    panel.dataset.over = isOver() ? "yes" : "no";
    if (!isOver()) limit = limitFor(tree, moves.length, limit);
    const progress = isOver() ? tellEnd() : `Guess ${Math.min(moves.length + 1, limit)} / ${limit}`;
    const left = isVeiled() || isOver() && state.over !== "lost" ? "" : ` · Remaining options: ${count(remaining().length)}`;
    status.textContent = `${tellChallenge()}${tellDay()}${state.isRetry ? "Second try · " : ""}${state.isEvil ? "Evil code-maker · " : ""}${progress}${left}`;
    const made = moves.map(([guess, response], at) => row(game, at + 1, guess, response,
      response === game.win ? "found" : isVeiled() ? "" : `${count(lefts[at + 1].length)} left`));
    if (state.over === "lost") made.push(solutionRow(game, state.secret));
    fillBoard(board, tree, made, isOver() ? undefined : current, limit);
    form.hidden = isOver();
    for (const one of [reveal, advise]) one.hidden = isOver();
    climb.hidden = !harder || state.over !== "won";
    reviewing.disabled = !moves.length;
    undo.hidden = !before;
    share.hidden = !isOver();
    sendBack.hidden = !state.word || !state.over;
    if (!sendBack.hidden) sendBack.replaceChildren(...makeSendBack(tree, state));
    drawDuel();
    rules.hidden = moves.length > 0 || isOver();
    possible.hidden = codes.hidden = !moves.length || isVeiled();
    drawFigures();
    showPossible(remaining());
    showCodes(remaining());
    showSteps();
    // Last, since it lays the page out.
    (isOver() ? lastRow() : current)?.scrollIntoView({ block: "nearest" });
  };

  // After the game: the board as it stood, and what was left then, beside the tree's game.
  const showSteps = () => {
    steps.replaceChildren();
    if (!isOver() || !state.moves.length) return;
    const yours = lefts.map((left, at) => (at === state.moves.length && state.over === "won" ? 0 : left.length));
    const theirs = findRival()?.map(({ candidates }) => candidates.length);
    const first = tree.start.length;
    steps.append(makeSteps([["you", yours], ...theirs ? [[nameOpponent(tree), [...theirs, 0]]] : []], (at) => {
      [...board.children].forEach((one, place) => one.classList.toggle("later", at < state.moves.length && place >= first + at));
      const left = lefts[Math.min(at, state.moves.length)];
      showPossible(left);
      showCodes(left);
    }));
  };

  const tellChallenge = () => state.word ? `Class ${state.word} · ` : state.beat === undefined ? "" : `Challenge${state.beat ? `: beat ${state.beat}` : ""} · `;

  // Which day a code is of; once it is over, when the next one comes.
  const tellDay = () => {
    if (!state.day) return "";
    const now = new Date();
    const hours = Math.ceil((new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1) - now) / 3.6e6);
    const isCounted = isOver() ? state.day === today() : isPractice();
    return `${isCounted && !isOver() ? "Practice: " : ""}${isWords ? "Word" : "Code"} of ${state.day}${isCounted ? `, next in ${hours} h` : ""} · `;
  };

  panel.onkeydown = (event) => {
    if (isOver() || event.target.closest("summary, .aside") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      if (event.target.closest("button:not(.slot)")) return;
      event.preventDefault();
      submit();
      if (!isOver()) entry.focus();
    } else entry.type(event);
  };

  set(recallGame(tree) ?? { secret: pickRandom(), isEvil: settings.evil, moves: [], over: "", hinted: [] });
  if (challenge) change(challenge, state.moves.length ? state : undefined, challenge.word ? "A game of your class." : "A challenge.");
  if (isOver()) askReview();
  return () => {
    if (!state.moves.length && !state.day && state.beat === undefined && state.isEvil !== settings.evil) state = { ...state, isEvil: settings.evil };
    entry.redraw();
    sayAgain(message);
    if (reviewed) drawReview();
    show();
  };
};
