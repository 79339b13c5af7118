// An article about the game and how machines play it, with boards to try things on.
import { splitCandidates } from "./engine.mjs";
import { makeCompare } from "./compare.mjs";
import { makeEntry } from "./entry.mjs";
import { makeLesson } from "./lesson.mjs";
import { playOut } from "./tree.mjs";
import { count, decimal, drawCells, make, nameOpponent, plural, row, spell } from "./ui.mjs";

// The four ways to look one step ahead: [name, who, chain, what it asks for, its value of cells].
const WAYS_TO_CHOOSE = [
  ["Minimax", "Knuth, 1977", "max,consistent,lowest", "the largest cell is small: a careful player", (cells) => `${count(Math.max(...cells))} at most`],
  ["Expected size", "Irving, 1978", "power:1,consistent,lowest", "few are left on average", (cells, n) => `${decimal(cells.reduce((sum, size) => sum + size * size, 0) / n)} on average`],
  ["Entropy", "Neuwirth, 1982", "entropy,consistent,lowest", "the answer tells most, in bits", (cells, n) => `${cells.reduce((sum, size) => sum + size / n * Math.log2(n / size), 0).toFixed(2)} bits`],
  ["Most parts", "Kooi, 2005", "parts,consistent,lowest", "as many different answers as can be", (cells) => `${cells.length} answers`],
];

export const startLearn = (panel, tree, trees, ask, playDaily) => {
  const { game, root } = tree;
  const { noun } = game;
  const all = root.candidates;
  const text = (...parts) => make("p", {}, ...parts);
  const title = (name) => make("h2", {}, name);

  // A game of the tree against a code that is drawn: what each answer leaves.
  const replay = make("ol.board", { "aria-label": "A game of the tree" });
  const replayed = make("p.hint", { role: "status" });
  const draw = () => {
    const secret = all[Math.floor(Math.random() * all.length)];
    const states = playOut(tree, secret);
    replay.replaceChildren(...states.map(({ guess }, at) => row(game, at + 1, guess, game.respond(guess, secret),
      at + 1 < states.length ? `${count(states[at + 1].candidates.length)} left` : "")));
    replayed.replaceChildren(`The ${noun} is `, spell(game, secret), ".");
  };

  // Any guess, rated in the four ways.
  const rated = make("div.rated", { "aria-live": "polite" });
  const send = make("button", { hidden: "hidden" });
  const entry = makeEntry(game, (colors) => rate(colors.includes(null) ? undefined : game.indexOf(colors)), send);
  entry.slots.setAttribute("aria-label", "A first guess to rate");
  const rate = (guess) => {
    if (guess === undefined) return rated.replaceChildren(text(`Fill the holes with a ${noun} of the game.`));
    const cells = [...splitCandidates(game, guess, all)].map(([response, cell]) => [response, cell.length]);
    const sizes = cells.map(([, size]) => size);
    return rated.replaceChildren(
      drawCells(game, cells, { role: "img", "aria-label": `${cells.length} answers, ${count(Math.max(...sizes))} ${noun}s in the largest cell` }),
      text(...WAYS_TO_CHOOSE.flatMap(([name, , , , value], at) => [at ? " · " : "", make("b", {}, `${name}: `), value(sizes, all.length)])));
  };

  const ways = make("ul.ways");
  const showWays = (openings) => ways.replaceChildren(...WAYS_TO_CHOOSE.map(([name, who, , asks], at) => make("li", {},
    make("b", {}, name), ` (${who}): ${asks}. `,
    openings ? make("button.plain", { onclick: () => entry.fill(openings[at].guess) }, make("span.hidden", {}, `Rate the first guess of ${name}: `), spell(game, openings[at].guess)) : "")));
  const opponent = nameOpponent(tree);
  const isMastermind = tree.game.rule === "pegs" && game.noun === "code";

  panel.replaceChildren(make("article", {},
    title("The game"), ...makeLesson(game),
    text(`How few guesses does it take to find one of ${plural(all.length, noun)}?`),
    title("What an answer tells"),
    text(`At first every ${noun} is possible. An answer rules out all that would have been answered otherwise; what is left are the candidates. So a guess divides them into cells, one for each answer, and the true answer picks a cell.`),
    replay, replayed, make("div.buttons", {}, make("button", { onclick: draw }, `Another ${noun}`)),
    text(`A guess need not be a candidate: one that can no longer be the ${noun} often divides the rest better than any that can.`),
    title("How machines guess"),
    text("The simplest guess anything that fits all answers. Better ones look one step ahead and rate every guess by its cells."),
    ways, text("Try one yourself: each bar is a cell of your first guess."),
    make("div.board.strip", {}, entry.slots), entry.palette, rated,
    text("Ties decide: often dozens of guesses rate the same, and which of them is taken changes the result by more than the choice of the rule. It helps to prefer a guess that can win at once, and to break ties by a second rule."),
    title("Looking all the way"),
    text("Small cells may be hard to divide. A search through the whole tree of guesses, with bounds that cut off what cannot be best, finds the optimum of small games",
      isMastermind ? ": for 4 pegs of 6 colors 4.34 guesses on average (Koyama and Lai, 1993), against 4.48 of minimax and 4.37 of most parts." : "."),
    text("Either way the result is a tree: a guess, a branch for each answer, the next guess. Explore shows the tree of this page.")),
  makeCompare(tree, trees, ask),
  make("div.card.challenge", {}, title(`Can you beat ${opponent}?`),
    text(`The ${noun} of today is the same for you and for the tree. It is counted once.`),
    make("button.primary", { onclick: playDaily }, `Play today's ${noun}`)));

  draw();
  showWays();
  entry.redraw();
  entry.fill(root.guess);
  ask(tree, { ask: "openings", chains: WAYS_TO_CHOOSE.map(([, , chain]) => chain) }, () => ways.isConnected).then(showWays);
  panel.onkeydown = undefined;
  return () => startLearn(panel, tree, trees, ask, playDaily);
};
