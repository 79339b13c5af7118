// The opponents of a game side by side: their averages, and games of chance by the rules that are chosen.
import { listOpponents, shortName } from "./choices.mjs";
import { averageOf, count, make } from "./ui.mjs";

export const drawOne = (codes) => codes[Math.floor(Math.random() * codes.length)];

const MANY = 100;
const MANY_CODES = 10_000;

const meanOf = (lengths) => {
  const games = lengths.reduce((sum, number) => sum + number, 0);
  return lengths.reduce((sum, number, length) => sum + number * length, 0) / games;
};

// How many games took each number of guesses.
const drawLengths = (lengths) => {
  const most = Math.max(...lengths);
  const told = lengths.map((games, length) => (games ? `${games} × ${length}` : "")).filter(Boolean).join(", ");
  return make("span.histogram", { role: "img", "aria-label": told }, ...lengths.map((games, length) => {
    if (!length) return "";
    const bar = make("i.cell", { title: `${length}: ${games}` });
    bar.style.height = `${(2 * games) / most}rem`;
    return make("span", {}, bar, make("small", {}, length));
  }));
};

const drawAverage = (average, most) => {
  const bar = make("i.bar", { "aria-hidden": "true" });
  bar.style.width = `${(100 * average) / most}%`;
  return make("td", {}, average.toFixed(3), bar);
};

// The card, with a button that plays games of random codes in the worker, one rule after another.
export const makeCompare = (tree, trees, ask) => {
  const { game, root } = tree;
  const [usual, rare] = listOpponents(tree, trees);
  const opponents = [...usual, ...rare].filter((one) => JSON.stringify(one.start) === JSON.stringify(tree.start));
  const chosen = new Set(opponents.filter((one) => !one.isComputed || usual.includes(one) && game.nCodes < MANY_CODES));
  const sampled = new Map();
  const body = make("tbody");
  const told = make("p.hint", { role: "status" });
  const most = Math.max(...opponents.map((one) => (one.isComputed ? 0 : averageOf(one))));
  let run = 0;

  const showRow = (one) => {
    const lengths = sampled.get(one);
    return make("tr", {},
      make("th", { scope: "row" }, make("label", {}, make("input", { type: "checkbox", checked: chosen.has(one) && "checked", onchange: (event) =>
        chosen[event.target.checked ? "add" : "delete"](one) }), ` ${shortName(one)}`)),
      ...one.isComputed ? [make("td", {}, "–"), make("td", {}, "–")] : [drawAverage(averageOf(one), most), make("td", {}, one.meta.worst)],
      make("td", {}, lengths ? meanOf(lengths).toFixed(2) : ""), make("td", {}, lengths ? drawLengths(lengths) : ""));
  };
  const show = () => body.replaceChildren(...opponents.map(showRow));

  // The same codes for all.
  const play = async () => {
    const mine = ++run;
    const isWanted = () => mine === run;
    const secrets = Array.from({ length: MANY }, () => drawOne(root.candidates));
    sampled.clear();
    show();
    const players = opponents.filter((one) => chosen.has(one));
    for (const one of players) {
      told.textContent = `${shortName(one)} is playing…`;
      const lengths = await ask(one, { ask: "lengths", secrets }, isWanted);
      if (!isWanted()) return;
      sampled.set(one, lengths);
      show();
    }
    told.textContent = players.length ? `${MANY} random ${game.noun}s, the same for all. An average of so few games is off by about 0.1.` : "Choose a rule first.";
  };

  show();
  return make("div.card.compare", {}, make("h2", {}, "Compare"),
    make("p", {}, `How many guesses each opponent needs: over all ${count(root.candidates.length)} ${game.noun}s, and for random ones.`),
    make("div.frame", { tabindex: 0, role: "region", "aria-label": "Comparison" }, make("table", {},
      make("thead", {}, make("tr", {}, ...["Rule", "Average", "Worst", `${MANY} random`, "Games by guesses"].map((name) => make("th", { scope: "col" }, name)))), body)),
    make("button.primary", { onclick: play }, `Play ${MANY} random ${game.noun}s`), told);
};
