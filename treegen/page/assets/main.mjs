// The page: tables, settings, the five modes, the worker.
import { count, ruleOfPlay } from "./engine.mjs";
import { makeAsker } from "./worker.mjs";
import { keepAnalysis, recallAnalysis, startAnalyst } from "./analyst.mjs";
import { renewSeed } from "./chains.mjs";
import { readChallenge } from "./challenge.mjs";
import { answerQuestion, packTree } from "./questions.mjs";
import { linkToGame, nameShared } from "./share.mjs";
import { nameGame, openComputed } from "./levels.mjs";
import { showChoices, startCustom } from "./choices.mjs";
import { showLessons } from "./lesson.mjs";
import { tabStore } from "./store.mjs";
import { makeBareTree, openTree, readTable } from "./tree.mjs";
import { averageOf, byId, make, nameOpponent, saveSettings, say, settings, tellStart, usualLimit } from "./ui.mjs";
import { startBreaker } from "./breaker.mjs";
import { linkTo, startExplorer } from "./explorer.mjs";
import { startLearn } from "./learn.mjs";
import { startMaker } from "./maker.mjs";

const MODES = ["breaker", "maker", "analyst", "explorer", "learn"];

const openAll = () => {
  const problems = [];
  const trees = JSON.parse(byId("tables").textContent).flatMap(({ name, start, proved, best, chain, ...packed }) => {
    try {
      const source = readTable(packed);
      return [{ ...openTree(name, source, start, proved), source, rule: chain, isBest: proved || best }];
    } catch (error) {
      problems.push(`The table ${name} cannot be used: ${error.message}.`);
      return [];
    }
  });
  return { trees, problems };
};

// The worker that analyses runs the same engine as the page.
const startWorker = (receive) => {
  const source = `${byId("engine").textContent}
    onmessage = ({ data }) => postMessage(answerQuestion(data));`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => receive(data);
  return worker;
};
const asker = makeAsker(startWorker, answerQuestion);
const ask = (tree, question, isWanted) => asker({ tree: packTree(tree), ...question }, isWanted);

const { trees, problems } = openAll();
const findTree = (name) => trees.find((one) => one.name === name) ?? openComputed(name);
let tree = findTree(settings.tree) ?? trees[0];
let mode = MODES.includes(tabStore.recall("mode")) ? tabStore.recall("mode") : "breaker";
let redraw, tried, challenge;
const games = new Map();
const places = new Map();

// Of the same game and beginning, a tree in hard mode, or one that is not.
const findOther = (one, rule) => trees.find((other) => other.game === one.game
  && String(other.start) === String(one.start) && ruleOfPlay(other) === rule);

// What is played and analysed in hard mode: its tree where the page has it, else the bare game, whose guesses are
// checked.
const hardened = new Map();
const harden = (one) => {
  if (!settings.hard || one.game.rule !== "position" || ruleOfPlay(one)) return one;
  if (!hardened.has(one)) hardened.set(one, findOther(one, "hints")
    ?? { ...makeBareTree(one.table.game, one.start, "hard mode eligible=hints"), name: one.name, isComputed: true });
  return hardened.get(one);
};

// A game is known by its whole description; lists of words of one title also by their first words.
const listGames = () => [...new Map([...trees, tree].map((one) => [one.game.key, one])).values()];
const titleOf = ({ game }) => {
  const alike = listGames().filter((one) => one.game.title === game.title);
  if (alike.length < 2) return game.title;
  const words = (one) => game.noun === "word" ? `: ${one.writeCode(0)} … ${one.writeCode(one.nSecrets - 1)}` : "";
  const namesakes = alike.filter((one) => words(one.game) === words(game));
  const number = namesakes.length < 2 ? "" : ` (${namesakes.findIndex((one) => one.game.key === game.key) + 1})`;
  return game.title + words(game) + number;
};

// The cards name games whose codes take a while to list: at first they come after the board is painted.
let showCards = () => {
  showCards = () => showChoices({ tree, trees, titleOf, findTree, play, redraw: () => redraw() });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(showCards)));
};

const showSettings = () => {
  showCards();
  byId("figures").textContent = `${count(tree.root.candidates.length)} ${tree.game.noun}s${tellStart(tree)}` +
    (tree.isComputed ? "" : `, ${averageOf(tree).toFixed(4)} guesses on average, ${tree.meta.worst} at most`);
  byId("playing").textContent = `${titleOf(tree)}${describeSymbols(tree.game)} · ${nameOpponent(tree)}${tellStart(tree)}${harden(tree) === tree ? "" : " · hard mode"}`;
  byId("hard").parentElement.hidden = tree.game.rule !== "position";
  byId("hard").checked = ruleOfPlay(harden(tree)) !== undefined;
  byId("hard").disabled = ruleOfPlay(tree) !== undefined && !findOther(tree);
  byId("limit").value = usualLimit(tree);
  if ("usual" in byId("title").dataset)
    byId("title").textContent = document.title = nameShared(tree);
  showLessons(tree.game);
};

// The tabs, in the game's words: on small screens the middle one alone.
const nameTabs = ({ rule, noun }) => {
  const find = rule === "position" ? "find" : "break";
  const names = {
    breaker: ["You ", find, ` a ${noun}`], maker: ["You ", "hide", ` a ${noun}`],
    analyst: ["", "Analyse", " a game"], explorer: ["", "Explore", " the tree"], learn: ["", "Learn", ""],
  };
  for (const mode of MODES) {
    const [before, short, after] = names[mode];
    byId(`tab-${mode}`).setAttribute("aria-label", before + short + after);
    byId(`tab-${mode}`).replaceChildren(make("span.long", {}, before), short, make("span.long", {}, after));
  }
};

// Whoever chooses a tree that is not in hard mode, where there is one that is, leaves it.
const play = (found) => {
  tree = found;
  if (!ruleOfPlay(tree) && findOther(tree, "hints")) saveSettings({ hard: false });
  saveSettings({ tree: tree.name });
  showPlace();
  start();
};

// Plays a game by its name, with a table where there is one; undefined where the page cannot.
const playNamed = (name) => {
  const found = trees.find((one) => nameGame(one.table.game) === name && !one.start.length) ?? openComputed(`${name}~best`);
  if (found) play(found);
  return found;
};

// Digits begin at 1 here and at 0 there: the page says where.
const describeSymbols = ({ rule, symbols }) =>
  rule === "position" || symbols.length < 2 ? "" : ` · ${symbols[0]}–${symbols.at(-1)}`;

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const listAnswers = ({ nResponses, write }) => Array.from({ length: nResponses }, (_, response) => write(response));

// "#name" plays a tree, "#name/02/11" shows a state of it, "#name/?token" is a challenge.
const readFragment = () => {
  const [name, ...answers] = location.hash.slice(1).split("/");
  if (!name) return null;
  const found = findTree(decode(name));
  if (!found) return { problem: `This page has no tree called ${decode(name)}.` };
  const { game } = found;
  if (answers[0]?.startsWith("?")) {
    const challenge = readChallenge(found, answers);
    return challenge ? { tree: found, mode: "breaker", challenge } : { problem: "This challenge is damaged, or of another list of words." };
  }
  if (answers.some((text) => text.includes(":"))) return readPosition(found, answers);
  const texts = answers.filter(Boolean).map(decode);
  const path = texts.map((text) => listAnswers(game).indexOf(text));
  const at = path.indexOf(-1);
  const problem = at < 0 ? "" : `${texts[at]} is no answer of this game: the link is followed up to there.`;
  return { tree: found, mode: answers.length ? "explorer" : "breaker", path: at < 0 ? path : path.slice(0, at), problem };
};

// "#name/1122:02/1344:11" analyses a game.
const readPosition = (found, texts) => {
  const { game } = found;
  const codes = new Map(game.codes.map((_, code) => [game.writeCode(code), code]));
  // A colon within a word is encoded, so that texts are decoded after they are split.
  const moves = texts.map((text) => text.split(":").map(decode))
    .map(([code, answer, ...others]) => [others.length ? undefined : codes.get(code), listAnswers(game).indexOf(answer)]);
  const at = moves.findIndex(([code, response]) => code === undefined || response < 0);
  const problem = at < 0 ? "" : `${decode(texts[at])} is no guess and answer of this game: the link is followed up to there.`;
  return { tree: found, mode: "analyst", moves: at < 0 ? moves : moves.slice(0, at), problem };
};

const start = () => {
  showSettings();
  nameTabs(tree.game);
  for (const name of MODES) {
    byId(name).hidden = name !== mode;
    const tab = byId(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === mode));
    tab.tabIndex = name === mode ? 0 : -1;
  }
  tabStore.keep("mode", mode);
  redraw = mode === "explorer" ? explore() : playOn(mode);
};

// The explorer stays where it was, with what was unfolded, until a link leads elsewhere.
const explore = () => {
  const path = places.get(tree) ?? [];
  const link = linkTo(tree, path);
  const known = games.get("explorer");
  if (known?.link !== link || known.look !== settings.look)
    games.set("explorer", { link, look: settings.look, redraw: startExplorer(byId(mode), tree, path) });
  return games.get("explorer").redraw;
};

const STARTS = {
  maker: (panel) => startMaker(panel, tree),
  breaker: (panel) => startBreaker(panel, harden(tree), ask, openAnalysis, playNamed, challenge),
  analyst: (panel) => startAnalyst(panel, harden(tree), ask, openAnalysis, showPlace, tried),
  learn: (panel) => startLearn(panel, tree, trees, ask, playDaily, playChallenge, openAnalysis),
};

// A game continues where it was left; a change of strategy begins it anew from what is kept.
const playOn = (name) => {
  const known = games.get(name);
  const played = harden(tree);
  if (known?.tree !== tree || known.played !== played) {
    games.set(name, { tree, played });
    games.get(name).redraw = STARTS[name](byId(name), tree);
  } else known.redraw();
  return games.get(name).redraw;
};

const openAnalysis = (moves, guess) => {
  tried = guess;
  keepAnalysis(tree, moves);
  games.delete("analyst");
  choose("analyst");
  byId("tab-analyst").focus();
};

// You against the tree, on the code of today.
const playDaily = () => {
  choose("breaker");
  byId("breaker").querySelector("[data-daily]").click();
};

// A code that others have chosen, too.
const playChallenge = (begun) => {
  challenge = begun;
  games.delete("breaker");
  choose("breaker");
  challenge = undefined;
};

const choose = (name) => {
  mode = name;
  showPlace();
  start();
};

// The address names the state that is explored or analysed, and no game that is played.
const showPlace = () => {
  const path = mode === "explorer" && places.get(tree);
  const moves = mode === "analyst" && recallAnalysis(tree);
  if (path || moves?.length || location.hash)
    history.replaceState(null, "", path ? linkTo(tree, path) : moves?.length ? linkToGame(tree, moves)
      : location.pathname + location.search);
};

const openLink = () => {
  const place = readFragment();
  say(byId("problems"), [...problems, place?.problem].filter(Boolean).join(" "), "bad");
  if (!place?.tree) return;
  tree = place.tree;
  mode = place.mode;
  if (mode === "explorer") places.set(tree, place.path);
  if (mode === "analyst") {
    keepAnalysis(tree, place.moves);
    games.delete("analyst");
    tried = undefined;
  }
  if (place.challenge) playChallenge(place.challenge);
  else start();
};

if (problems.length) say(byId("problems"), problems.join(" "), "bad");
if (tree) {
  tabStore.keep("seed", renewSeed(tabStore.recall("seed") ?? undefined));
  for (const name of MODES) byId(`tab-${name}`).onclick = () => choose(name);
  byId("tabs").onkeydown = (event) => {
    const move = { ArrowLeft: MODES.length - 1, ArrowRight: 1 }[event.key];
    if (!move) return;
    choose(MODES[(MODES.indexOf(mode) + move) % MODES.length]);
    byId(`tab-${mode}`).focus();
  };
  startCustom(playNamed);
  byId("veiled").checked = settings.veiled;
  byId("veiled").onchange = ({ target }) => {
    saveSettings({ veiled: target.checked });
    redraw();
  };
  byId("hard").onchange = ({ target }) => {
    saveSettings({ hard: target.checked });
    play(!ruleOfPlay(tree) === !target.checked ? tree : findOther(tree, target.checked ? "hints" : undefined) ?? tree);
  };
  byId("limit").onchange = (event) => {
    const limit = Math.round(Number(event.target.value));
    saveSettings({ limit: limit ? Math.min(99, Math.max(1, limit)) : undefined });
    event.target.value = usualLimit(tree);
    redraw();
  };
  // Keys that nothing else hears are the game's: also those on the tab that is shown, or on a folded menu.
  addEventListener("keydown", (event) => {
    const isDeaf = event.target.role === "tab" || event.target.matches(".menu:not([open]) > summary") && event.key !== "Enter";
    if (!isDeaf && event.target !== document.body || !/^(.|Backspace|Enter)$/u.test(event.key) || event.key === " ") return;
    const { key, ctrlKey, metaKey, altKey } = event;
    const preventDefault = () => event.preventDefault();
    byId(mode).onkeydown?.({ key, ctrlKey, metaKey, altKey, preventDefault, target: document.body });
  });
  addEventListener("paste", (event) => {
    if (!byId(mode).contains(event.target) && !event.target.closest("input, textarea")) byId(mode).onpaste?.(event);
  });
  // A panel that unfolds over the board folds by Escape, and by a click elsewhere.
  const fold = (target) => {
    for (const menu of document.querySelectorAll(".menu[open]"))
      if (!menu.contains(target)) menu.open = false;
  };
  addEventListener("pointerdown", (event) => fold(event.target));
  addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]");
    if (!menu) return;
    fold();
    menu.firstElementChild.focus();
  });
  addEventListener("hashchange", openLink);
  start();
  openLink();
} else byId("app").hidden = true;
