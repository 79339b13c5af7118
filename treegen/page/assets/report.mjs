// What the analysis tells: the cost of every guess, the best guesses of a position, statistics.
import { count, plural } from "./engine.mjs";
import { LEAST_COST } from "./advisor.mjs";
import { decimal, describeCode, drawCells, guessesOf, make, pegs, renew, spell } from "./ui.mjs";

const about = (kind) => (kind === "estimate" ? "≈ " : "");

export const KIND_NAMES = {
  proved: "proved by the tree", tree: "by the tree", exact: "exact, by search", estimate: "estimate",
};

// How good a guess was, by the guesses that it costs on average; what a hint showed is not judged.
const GRADES = [["Good", 0.1], ["Inaccuracy", 0.25], ["Mistake", 0.75], ["Blunder", Infinity]];
const MUCH_LUCK = 0.4;

const MISTAKE = 0.25;

const gradeOf = (move, isHint) => isHint && move.cost < LEAST_COST ? "Hint" : GRADES.find(([, limit]) => move.cost < limit)[0];

const tellLuck = (grade, luck = 0) => {
  if (Math.abs(luck) < MUCH_LUCK) return "";
  if (grade === "Good") return luck < 0 ? " Unlucky, not bad." : " And lucky.";
  return grade === "Hint" ? "" : luck < 0 ? " And unlucky." : " But lucky.";
};

const describeCost = (game, move, grade) => {
  const planned = move.isPlanned ? " The tree plays the same." : "";
  if (move.n === 1 && move.bestGuess === move.guess) return [`The only ${game.noun} left.`];
  const luck = tellLuck(grade, move.luck);
  if (grade === "Hint") return [`The page's hint.${luck}`];
  if (move.cost < LEAST_COST) return [`${grade}: no better guess is known.${planned}${luck}`];
  return [`${grade}: it cost ${about(move.kind)}${move.cost.toFixed(2)} guesses on average; `, spell(game, move.bestGuess), ` was better.${planned}${luck}`];
};

const describeLuck = ({ luck }) =>
  luck === undefined ? "" : ` · luck ${luck < 0 ? "−" : "+"}${Math.abs(luck).toFixed(2)}`;

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];

// What decided a game, in a sentence: the guess that lost more than all others together, several, or luck.
export const tellDecision = ({ moves, cost, luck }) => {
  const lost = Math.max(...moves.map((move) => move.cost));
  const at = moves.findIndex((move) => move.cost === lost);
  if (lost < MISTAKE)
    return `No guess lost much${Math.abs(luck) < 1 ? "" : luck > 0 ? ", and the answers were lucky" : "; the answers were unlucky"}.`;
  const rough = moves.find(({ kind }) => kind === "estimate");
  return lost <= cost / 2 ? `No single guess decided it: together they cost ${about(rough?.kind)}${cost.toFixed(2)} guesses.`
    : `Your ${ORDINALS[at] ?? `${at + 1}th`} guess decided it: it cost ${about(moves[at].kind)}${lost.toFixed(2)} guesses.`;
};

const reviewItem = (game, move, isHint, explore, retry) => {
  const grade = gradeOf(move, isHint);
  const detail = make("small", {},
    `expected ${move.expected.toFixed(2)}, best ${move.best.toFixed(2)} (${KIND_NAMES[move.kind]})${describeLuck(move)}`);
  return make(`li.move.is-${grade.toLowerCase()}`, {},
    pegs(game, move.guess, move.response), " ", make("b", {}, ...describeCost(game, move, grade)), detail,
    make("button.why", { onclick: explore }, "Why?"),
    retry && move.cost >= MISTAKE ? make("button.retry", { onclick: retry }, "Go back to this mistake") : "");
};

export const signed = (number) => `${number < -LEAST_COST ? "−" : ""}${Math.abs(number).toFixed(2)}`;

// The review of a game; explore(n) shows the position before guess n + 1, retry(n) plays on from there: it is
// given where the game is over.
export const showReview = (element, game, rated, explore, hinted = [], retry) => {
  const isRough = rated.moves.some(({ kind }) => kind === "estimate");
  renew(element,
    make("p.totals", {},
      make("span", {}, "Lost ", make("b", {}, `${isRough ? "≈ " : ""}${signed(rated.cost)}`)),
      make("span", {}, "Skill ", make("b", {}, rated.skill === undefined ? "–" : rated.skill.toFixed(0))),
      make("span", {}, "Luck ", make("b", {}, signed(rated.luck)))),
    retry ? make("p.decided", {}, tellDecision(rated)) : "",
    make("ol.moves", {}, ...rated.moves.map((move, at) =>
      reviewItem(game, move, hinted.includes(at), () => explore(at), retry && (() => retry(at))))),
    make("details.help", { open: element.querySelector(".help")?.open && "open" }, make("summary", {}, "What do these figures mean?"),
      make("p", {}, make("b", {}, "Lost: "), "expected guesses to the end after your guess, less those after the best one. Good is below 0.1, an inaccuracy below 0.25, a mistake below 0.75."),
      make("p", {}, make("b", {}, "Skill: "), "100 for the best guess, half for each 0.25 lost; the mean over the guesses that were yours: what a hint showed does not count, nor the only one left if it is guessed. To give up counts as a guess of skill 0."),
      make("p", {}, make("b", {}, "Luck: "), "guesses that the answers saved against the average, so that the first expectation + lost − luck = your guesses."),
      make("p", {}, `Exact: up to 20 ${game.noun}s left, or on a proved tree. Estimate (≈): what a greedy play needs; the best play never needs more.`)));
};

// The best guesses of a position: how each splits the candidates, what it needs. The one that was tried
// stands under the best.
export const showAdvice = (element, game, advice, { choose, why, tried }) => {
  const { n, list, planned, isCut } = advice;
  const isYours = ({ guess }) => guess === tried;
  const [first, ...others] = list;
  const ordered = !first || isYours(first) ? list : [first, ...others.filter(isYours), ...others.filter((one) => !isYours(one))];
  const rows = ordered.map((one) => {
    const notes = [isYours(one) ? "your guess" : "", one.guess === planned ? "the tree plays it" : "",
      one.isCandidate ? `could be the ${game.noun}` : `cannot be the ${game.noun}`];
    return make(isYours(one) ? "tr.yours" : "tr", {},
      make("th", { scope: "row" }, make("button.plain.try", {
        onclick: () => choose(one.guess),
      }, make("span.hidden", {}, `Try ${describeCode(game, one.guess)}`), pegs(game, one.guess))),
      make("td", { title: KIND_NAMES[one.kind] }, make("b", {}, `${about(one.kind)}${(one.total / n).toFixed(3)}`)),
      make("td", {}, count(one.worst)),
      make("td", {}, decimal(one.average)),
      make("td.split", {}, make("span.hidden", {}, `${plural(one.cells.length, "answer")}; ${notes.filter(Boolean).join(", ")}`),
        drawCells(game, one.cells),
        make("small", { "aria-hidden": "true" }, notes.filter(Boolean).join(", "))));
  });
  renew(element, make("table.advice", {},
    make("caption", {}, `Best guesses for ${plural(n, game.noun)}`),
    make("thead", {}, make("tr", {}, ...["Guess", "Expected", "Worst", "Average", "Split by answer"].map((name) =>
      make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows)),
  why ? make("p.explained", {}, ...why()) : "",
  make("p.hint", {}, `Expected: guesses to the end, this one included. Worst and average: ${game.noun}s left after the answer. ≈ is an estimate${isCut ? "; the exact values are being computed…" : "."}`));
};

// A row of bars: games by their length.
export const showFigures = (element, figures, average, clear) => {
  const lengths = Object.entries(figures.lengths).map(([length, games]) => [Number(length), Number(games)]);
  const { helped } = figures;
  const won = lengths.reduce((sum, [, games]) => sum + games, 0);
  const mean = lengths.reduce((sum, [length, games]) => sum + length * games, 0) / won;
  const most = Math.max(...lengths.map(([, games]) => games));
  const line = ([length, games]) => {
    const bar = make("i.bar", { "aria-hidden": "true" });
    bar.style.width = `${(80 * games) / most}%`;
    return make("li", {}, make("span", {}, guessesOf(length)), bar, ` ${count(games)}`);
  };
  element.replaceChildren(
    make("h2", {}, "Statistics"),
    make("p", {}, won + figures.lost
      ? `${plural(won + figures.lost, "game")}, ${won} won · streak ${figures.streak}, longest ${figures.longest}` : helped[0] ? "" : "No game yet."),
    helped[0] ? make("p", {}, `With hints, counted apart: ${plural(helped[0], "game")}, ${helped[1]} won.`) : "",
    make("p", {}, won ? `Your average ${mean.toFixed(3)}${average ? ` · the tree's ${average}` : ""}`
      : average ? `The tree needs ${average} guesses on average.` : ""),
    won ? make("ol.lengths", {}, ...lengths.map(line)) : "",
    won + figures.lost + helped[0] ? make("button", { onclick: clear }, "Clear statistics") : "");
};
