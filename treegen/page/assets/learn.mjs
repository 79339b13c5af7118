// Three short lessons that end in a game; then how machines play it, with boards to try things on.
import { count, splitCandidates } from "./engine.mjs";
import { makeClassroom } from "./classroom.mjs";
import { drawOne, makeCompare } from "./compare.mjs";
import { makeEntry } from "./entry.mjs";
import { makeLesson } from "./lesson.mjs";
import { decimal, describeResponse, drawCells, make, marks, nameOpponent, pins, row, spell } from "./ui.mjs";

// The four ways to look one step ahead: [name, who, chain, what it asks for, its value of cells].
const WAYS_TO_CHOOSE = [
  ["Minimax", "Knuth, 1977", "max,consistent,lowest", "the largest cell is small: a careful player", (cells) => `${count(Math.max(...cells))} at most`],
  ["Expected size", "Irving, 1978", "power:1,consistent,lowest", "few are left on average", (cells, n) => `${decimal(cells.reduce((sum, size) => sum + size * size, 0) / n)} on average`],
  ["Entropy", "Neuwirth, 1982", "entropy,consistent,lowest", "the answer tells most, in bits", (cells, n) => `${cells.reduce((sum, size) => sum + size / n * Math.log2(n / size), 0).toFixed(2)} bits`],
  ["Most parts", "Kooi, 2005", "parts,consistent,lowest", "as many different answers as can be", (cells) => `${cells.length} answers`],
];

const paragraph = (...parts) => make("p", {}, ...parts);
const heading = (name) => make("h2", {}, name);
const shuffle = (list) => list.sort(() => Math.random() - .5);

// A question with a button for each [answer, whether it is right, the reason], in any order.
const pose = (question, choices) => {
  const verdict = make("p.hint", { role: "status" });
  const buttons = choices.map(([label, isRight, reason]) =>
    make("button", { onclick: () => verdict.replaceChildren(`${isRight ? "Right" : "No"}: ${reason}.`) }, ...label));
  return [paragraph(...question), make("div.buttons", {}, ...shuffle(buttons)), verdict];
};

// What is answered? What can still be the code? Which of two first guesses is better? The last only where one is.
const poseAll = (game, all, best) => {
  const secret = drawOne(all);
  const guess = drawOne(all.filter((one) => one !== secret)) ?? secret;
  const [response, cells] = [game.respond(guess, secret), splitCandidates(game, guess, all)];
  const answers = [response, ...shuffle([...cells.keys()].filter((one) => one !== response && one !== game.win)).slice(-2)];
  const describe = (one) => describeResponse(game, one);
  const worstOf = (one) => Math.max(...[...splitCandidates(game, one, all).values()].map((cell) => cell.length));
  const [few, many] = [worstOf(best), worstOf(all[0])];
  return [
    pose([`The ${game.noun} is `, spell(game, secret, "."), " What is the answer to ", spell(game, guess, "?")], answers.map((one) =>
      [[make("span.hidden", {}, describe(one)), game.rule === "position" ? marks(game, one) : pins(game, one)], one === response, describe(response)])),
    [make("ol.board", { "aria-label": "What you know" }, row(game, 1, guess, response)),
      ...pose([`Which ${game.noun} is still possible?`], answers.map((one) => [[spell(game, drawOne(cells.get(one)))], one === response,
        `your guess would have been answered ${describe(one)}${one === response ? ", as it was" : ""}`]))],
    few < many ? pose(["Which first guess is better?"], [best, all[0]].map((one) =>
      [[spell(game, one)], one === best, `${game.writeCode(best)} leaves at most ${count(few)}, ${game.writeCode(all[0])} up to ${count(many)}`])) : [],
  ];
};

export const startLearn = (panel, tree, trees, ask, playDaily, playChallenge, openAnalysis) => {
  const { game, root: { guess: best, candidates: all } } = tree;
  const { noun } = game;

  // Any guess, rated in the four ways.
  const rated = make("div.rated", { "aria-live": "polite" });
  const send = make("button", { hidden: "hidden" });
  const entry = makeEntry(game, send, undefined, { changed: () => rate(game.indexOf(entry.colors())) });
  entry.slots.setAttribute("aria-label", "A first guess to rate");
  const rate = (guess) => {
    if (guess === undefined) return rated.replaceChildren(paragraph(`Fill the holes with a ${noun} of the game.`));
    const cells = [...splitCandidates(game, guess, all)].map(([response, cell]) => [response, cell.length]);
    const sizes = cells.map(([, size]) => size);
    return rated.replaceChildren(
      drawCells(game, cells, { role: "img", "aria-label": `${cells.length} answers, ${count(Math.max(...sizes))} ${noun}s in the largest cell` }),
      paragraph(...WAYS_TO_CHOOSE.flatMap(([name, , , , value], at) => [at ? " · " : "", make("b", {}, `${name}: `), value(sizes, all.length)])));
  };

  const ways = make("ul.ways");
  const showWays = (openings) => ways.replaceChildren(...WAYS_TO_CHOOSE.map(([name, who, , asks], at) => make("li", {},
    make("b", {}, name), ` (${who}): ${asks}. `,
    openings ? make("button.plain", { onclick: () => entry.fill(openings[at].guess) }, make("span.hidden", {}, `Rate the first guess of ${name}: `), spell(game, openings[at].guess)) : "")));
  const opponent = nameOpponent(tree);
  const isMastermind = tree.game.rule === "pegs" && game.noun === "code";

  const [answered, possible, better] = [make("div"), make("div"), make("div")];
  const quiz = () => poseAll(game, all, best).forEach((parts, at) => [answered, possible, better][at].replaceChildren(...parts));
  panel.replaceChildren(makeClassroom(tree, trees, ask, playChallenge, openAnalysis), make("article", {},
    heading("1. The game"), ...makeLesson(game), answered,
    heading("2. What an answer tells"),
    paragraph(`An answer rules out every ${noun} that would have been answered otherwise; what is left are the candidates. So a guess divides them into cells, one for each answer.`),
    possible,
    heading("3. A good guess"),
    paragraph(`A good guess makes all its cells small. One that can no longer be the ${noun} often divides the rest better than any that can.`),
    better, make("div.buttons", {}, make("button", { onclick: quiz }, "Other questions"))),
  make("div.card.challenge", {}, heading(`Can you beat ${opponent}?`),
    paragraph(`The ${noun} of today is the same for you and for the tree. It is counted once.`),
    make("button.primary", { onclick: playDaily }, `Play today's ${noun}`)),
  make("article", {},
    heading("How machines guess"),
    paragraph("The simplest machines guess anything that fits all answers. Better ones look one step ahead and rate every guess by its cells."),
    ways, paragraph("Each bar is a cell of your first guess."),
    make("div.board.strip", {}, entry.slots), entry.palette, rated,
    paragraph("Ties decide: often dozens of guesses rate the same, and which of them is taken changes more than the choice of the rule. It helps to prefer a guess that can win at once."),
    heading("Looking all the way"),
    paragraph("Small cells may be hard to divide. A search of the whole tree of guesses finds the optimum of small games",
      isMastermind ? ": for 4 pegs of 6 colors 4.34 guesses on average (Koyama and Lai, 1993), against 4.48 of minimax and 4.37 of most parts." : "."),
    paragraph("Either way the result is a tree. Explore shows it.")),
  makeCompare(tree, trees, ask));

  quiz();
  showWays();
  entry.redraw();
  entry.fill(best);
  ask(tree, { ask: "openings", chains: WAYS_TO_CHOOSE.map(([, , chain]) => chain) }, () => ways.isConnected).then(showWays);
  panel.onkeydown = undefined;
  return () => startLearn(panel, tree, trees, ask, playDaily, playChallenge, openAnalysis);
};
