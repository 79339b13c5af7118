// The page: tables, settings, the three modes, the worker.
import { chooseGreedily } from "./engine.mjs";
import { decodeBase64, openTree } from "./tree.mjs";
import { count, make, saveSettings, say, settings } from "./ui.mjs";
import { startBreaker } from "./breaker.mjs";
import { startExplorer } from "./explorer.mjs";
import { startMaker } from "./maker.mjs";

const byId = (id) => document.getElementById(id);
const MODES = ["maker", "breaker", "explorer"];
const STARTS = { maker: startMaker, breaker: startBreaker };

const openAll = () => {
  const problems = [];
  const trees = JSON.parse(byId("tables").textContent).flatMap(({ name, table, start }) => {
    try {
      return [openTree(name, decodeBase64(table), start)];
    } catch (error) {
      problems.push(`The table ${name} cannot be used: ${error.message}.`);
      return [];
    }
  });
  return { trees, problems };
};

// Ask for the greedy choice; the worker runs the same engine as the page.
let worker;
const waiting = new Map();
const startWorker = () => {
  const source = `${byId("engine").textContent}
    let game, described;
    onmessage = ({ data: { id, description, candidates } }) => {
      const text = JSON.stringify(description);
      if (text !== described) [game, described] = [makeGame(description), text];
      postMessage({ id, best: chooseGreedily(game, candidates) });
    };`;
  worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  worker.onmessage = ({ data: { id, best } }) => {
    waiting.get(id)(best);
    waiting.delete(id);
  };
};
let lastQuestion = 0;
const askWorker = (tree, candidates) => new Promise((resolve) => {
  try {
    if (!worker) startWorker();
  } catch {
    setTimeout(() => resolve(chooseGreedily(tree.game, candidates)));
    return;
  }
  waiting.set(++lastQuestion, resolve);
  worker.postMessage({ id: lastQuestion, description: tree.table.game, candidates });
});

const { trees, problems } = openAll();
let tree = trees.find((one) => one.name === settings.tree) ?? trees[0];
let mode = "maker";
let redraw;
const games = new Map();

const option = (value, text, selected) =>
  make("option", { value, selected: selected ? "selected" : false }, text);

const describeAverage = ({ meta, root }) => (meta.total / root.candidates.length).toFixed(4);

const describeStart = ({ game, start }) => start.length
  ? ` after ${start.map(([guess, response]) => `${game.writeCode(guess)} → ${game.write(response)}`).join(", ")}`
  : "";

const describeStrategy = (one) =>
  `${one.meta.strategy}${describeStart(one)}: ${describeAverage(one)}, ≤ ${one.meta.worst}`;

const showChoices = () => {
  const games = [...new Map(trees.map((one) => [one.game.title + one.game.rule, one])).values()];
  const isSame = (a, b) => a.game.title === b.game.title && a.game.rule === b.game.rule;
  byId("game").replaceChildren(...games.map((one) =>
    option(one.name, one.game.title + (one.game.rule === "black" ? ", black pins only" : ""), isSame(one, tree))));
  byId("strategy").replaceChildren(...trees.filter((one) => isSame(one, tree)).map((one) =>
    option(one.name, describeStrategy(one), one === tree)));
  byId("look").parentElement.hidden = tree.game.rule === "position";
  byId("figures").textContent = `${count(tree.root.candidates.length)} codes${describeStart(tree)}, ` +
    `${describeAverage(tree)} guesses on average, ${tree.meta.worst} at most`;
};

// "#name" plays a tree, "#name/02/11" shows a state of it.
const readFragment = () => {
  const [name, ...answers] = location.hash.slice(1).split("/");
  const found = trees.find((one) => one.name === decodeURIComponent(name));
  if (!found) return null;
  const { game } = found;
  const path = [];
  for (const answer of answers.filter(Boolean))
    for (let response = 0; response < game.nResponses; response++)
      if (game.write(response) === answer) path.push(response);
  return { tree: found, mode: answers.length ? "explorer" : "maker", path };
};

const start = (path = []) => {
  showChoices();
  for (const name of MODES) {
    byId(name).hidden = name !== mode;
    const tab = byId(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === mode));
    tab.tabIndex = name === mode ? 0 : -1;
  }
  redraw = mode === "explorer" ? startExplorer(byId(mode), tree, path) : playOn(mode);
};

// A game goes on where it was left, unless it is one of another tree.
const playOn = (name) => {
  const known = games.get(name);
  if (known?.tree !== tree)
    games.set(name, { tree, redraw: STARTS[name](byId(name), tree, askWorker) });
  else known.redraw();
  return games.get(name).redraw;
};

const choose = (name) => {
  mode = name;
  if (name !== "explorer" && location.hash) history.replaceState(null, "", location.pathname);
  start();
};

const openLink = () => {
  const place = readFragment();
  if (!place) return;
  tree = place.tree;
  mode = place.mode;
  start(place.path);
};

if (problems.length) say(byId("problems"), problems.join(" "), "bad");
if (tree) {
  for (const name of MODES) byId(`tab-${name}`).onclick = () => choose(name);
  byId("tabs").onkeydown = (event) => {
    const move = { ArrowLeft: MODES.length - 1, ArrowRight: 1 }[event.key];
    if (!move) return;
    choose(MODES[(MODES.indexOf(mode) + move) % MODES.length]);
    byId(`tab-${mode}`).focus();
  };
  for (const id of ["game", "strategy"])
    byId(id).onchange = (event) => {
      tree = trees.find((one) => one.name === event.target.value);
      saveSettings({ tree: tree.name });
      if (location.hash) history.replaceState(null, "", location.pathname);
      start();
    };
  byId("look").onchange = (event) => {
    saveSettings({ look: event.target.value });
    redraw();
  };
  byId("limit").onchange = (event) => {
    const limit = Math.round(Number(event.target.value));
    saveSettings({ limit: Math.min(99, Math.max(1, limit || 12)) });
    event.target.value = settings.limit;
    redraw();
  };
  addEventListener("keydown", (event) => {
    const isElsewhere = event.target === document.body || event.target.role === "tab";
    if (mode === "breaker" && isElsewhere && /^(.|Backspace)$/u.test(event.key))
      byId(mode).onkeydown(event);
  });
  addEventListener("hashchange", openLink);
  byId("look").value = settings.look;
  byId("limit").value = settings.limit;
  start();
  openLink();
} else byId("app").hidden = true;
