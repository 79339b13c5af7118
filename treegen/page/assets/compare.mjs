// The opponents of a game side by side: their averages, and games of chance by the rules that are chosen.
import { count } from "./engine.mjs";
import { listOpponents, shortName } from "./choices.mjs";
import { averageOf, make } from "./ui.mjs";

export const drawOne = (codes) => codes[Math.floor(Math.random() * codes.length)];

const MOST_SHOWN = 5;
const MANY = 100;
const MANY_CODES = 10_000;

const meanOf = (lengths) => {
  const games = lengths.reduce((sum, number) => sum + number, 0);
  return lengths.reduce((sum, number, length) => sum + number * length, 0) / games;
};

// How many games took each number of guesses.
const drawLengths = (lengths) => {
  const most = Math.max(...lengths);
  const listed = lengths.map((games, length) => (games ? `${games} × ${length}` : "")).filter(Boolean).join(", ");
  return make("span.histogram", { role: "img", "aria-label": listed }, ...lengths.map((games, length) => {
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
  const all = [...usual, ...rare].filter((one) => JSON.stringify(one.start) === JSON.stringify(tree.start));
  // At first those that people know, the one that is played among them.
  const first = all.slice(0, MOST_SHOWN);
  if (!first.includes(tree)) first.splice(-1, 1, tree);
  const opponents = [...new Set([...first, ...all])];
  const isUsual = (one) => !one.isComputed || usual.includes(one) && game.nCodes < MANY_CODES;
  const note = make("p.hint", { role: "status" });
  const most = Math.max(...opponents.map((one) => (one.isComputed ? 0 : averageOf(one))));
  let run = 0;

  const rows = opponents.map((one, at) => make("tr", { hidden: at >= MOST_SHOWN && "hidden" },
    make("th", { scope: "row" }, make("label", {}, make("input", { type: "checkbox", checked: at < MOST_SHOWN && isUsual(one) && "checked" }), ` ${shortName(one)}`)),
    ...one.isComputed ? [make("td", {}, "–"), make("td", {}, "–")] : [drawAverage(averageOf(one), most), make("td", {}, one.meta.worst)],
    make("td"), make("td")));
  const isChosen = (row) => !row.hidden && row.querySelector("input").checked;
  const show = (row, lengths) => {
    const [average, games] = [...row.children].slice(-2);
    average.textContent = lengths ? meanOf(lengths).toFixed(2) : "";
    games.replaceChildren(lengths ? drawLengths(lengths) : "");
  };
  const unfold = make("button", { hidden: rows.length <= MOST_SHOWN && "hidden", "aria-expanded": "false", onclick: () => {
    const isFolded = rows.at(-1).hidden;
    rows.forEach((row, at) => { row.hidden = at >= MOST_SHOWN && !isFolded; });
    unfold.setAttribute("aria-expanded", isFolded);
    unfold.textContent = isFolded ? "Fewer rules" : `More rules (${rows.length - MOST_SHOWN})`;
  } }, `More rules (${rows.length - MOST_SHOWN})`);

  // The same codes for all.
  const play = async () => {
    const mine = ++run;
    const isWanted = () => mine === run;
    const secrets = Array.from({ length: MANY }, () => drawOne(root.candidates));
    rows.forEach((row) => show(row));
    const players = [...rows.keys()].filter((at) => isChosen(rows[at]));
    for (const at of players) {
      note.textContent = `${shortName(opponents[at])} is playing…`;
      const lengths = await ask(opponents[at], { ask: "lengths", secrets }, isWanted);
      if (!isWanted()) return;
      show(rows[at], lengths);
    }
    note.textContent = players.length ? `${MANY} random ${game.noun}s, the same for all. An average of so few games is off by about 0.1.` : "Choose a rule first.";
  };

  return make("div.card.compare", {}, make("h2", {}, "Compare"),
    make("p", {}, `How many guesses each opponent needs: over all ${count(root.candidates.length)} ${game.noun}s, and for random ones.`),
    make("div.frame", { tabindex: 0, role: "region", "aria-label": "Comparison" }, make("table", {},
      make("thead", {}, make("tr", {}, ...["Rule", "Average", "Worst", `${MANY} random`, "Games by guesses"].map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, ...rows))),
    make("div.buttons", {}, make("button.primary", { onclick: play }, `Play ${MANY} random ${game.noun}s`), unfold), note);
};
