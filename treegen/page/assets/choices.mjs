// The settings as choices: games on cards, opponents in words, who hides the code, how pegs look.
import { count } from "./engine.mjs";
import { FIRST_RULE, LEVELS, MOST_COMPUTED, nameGame, openComputed } from "./levels.mjs";
import { showRule } from "./rule.mjs";
import { recallFigures } from "./store.mjs";
import { byId, capital, nameOpponent, rankOpponent, saveSettings, settings, showPicks, tellOpponent } from "./ui.mjs";

// A ladder, each game harder than the one before it; the last game stands beside it.
const NICKNAMES = { p3c4r: "Beginner", p4c4r: "Easy", p4c6r: "Classic", p5c8r: "Super", p4c10n: "Bulls and Cows" };
const LADDER = Object.keys(NICKNAMES).slice(0, 4);
const LOOKS = { digits: "colors and digits", colors: "colors", letters: "colors and letters", shapes: "colors and shapes", plain: "digits" };
const MAKERS = { fair: ["By chance", "any code, all alike"], evil: ["Evil", "never settles: always the answer that leaves most"] };
const RARE = ["random", "lexicographic"];
const MOST_TREES = 6;

// The next game of the ladder, [name, nickname].
export const findHarder = ({ table }) => {
  const name = LADDER[LADDER.indexOf(nameGame(table.game)) + 1 || LADDER.length];
  return name && [name, NICKNAMES[name]];
};

// A game's nickname and what it is; a game without one is called what it is, as no other game is.
const describeCard = (one, title) => {
  const { game } = one;
  const nickname = NICKNAMES[nameGame(one.table.game)];
  const won = Object.keys(recallFigures(one).lengths).length ? " ✓" : "";
  return { title: (nickname ?? capital(title)) + won, text: nickname ? title : game.noun === "word" ? "" : `${count(game.nSecrets)} codes` };
};

// The games of the page, then those that everybody knows, then one of your own: whichever is played, the cards keep
// their places.
const listCards = (tree, trees, titleOf) => {
  const cards = new Map();
  const known = Object.keys(NICKNAMES).map((name) => openComputed(`${name}~best`));
  for (const one of [...trees, ...known, tree]) if (!cards.has(one.game.key)) cards.set(one.game.key, one);
  return [...cards.values()].map((one) => ({ value: one.name, key: one.game.key, ...describeCard(one, titleOf(one)) }));
};

export const shortName = (one) => (one.level?.includes(",") ? "A rule of your own" : nameOpponent(one));
const opponentOf = (one) => ({ value: one.name, title: shortName(one), text: tellOpponent(one) });

// The tables of a game that people know best, the levels that are computed; and the others.
export const listOpponents = (tree, trees) => {
  const name = nameGame(tree.table.game);
  const rule = tree.isComputed && !Object.hasOwn(LEVELS, tree.level) ? tree.level : FIRST_RULE;
  const open = (levels) => levels.map((level) => openComputed(`${name}~${level}`)).filter(Boolean);
  const usual = Object.keys(LEVELS).filter((level) => !RARE.includes(level));
  const tables = trees.filter((one) => one.game.key === tree.game.key).sort((a, b) => rankOpponent(a) - rankOpponent(b));
  return [[...tables.slice(0, MOST_TREES), ...open(usual)], [...tables.slice(MOST_TREES), ...open([...RARE, rule])]];
};

// Shows all of them. `page` is { tree, trees, titleOf, findTree, play(tree), redraw() }.
export const showChoices = (page) => {
  const { tree, trees, titleOf, findTree, play, redraw } = page;
  const choose = (value) => play(findTree(value));
  const games = listCards(tree, trees, titleOf);
  const cards = [...games, { value: "", title: "Custom", text: "pegs and colors of your own" }];
  showPicks(byId("games"), "game", cards, games.find(({ key }) => key === tree.game.key).value, (value) => {
    byId("custom").hidden = value !== "";
    if (value) choose(value);
  });
  const [usual, rare] = listOpponents(tree, trees);
  showPicks(byId("opponents"), "opponent", usual.map(opponentOf), tree.name, choose);
  byId("rare").hidden = !rare.length;
  if (rare.includes(tree)) byId("rare").open = true;
  showPicks(byId("others"), "opponent", rare.map(opponentOf), tree.name, choose);
  showRule(byId("rule"), tree, (chain) => choose(`${nameGame(tree.table.game)}~${chain}`));
  const makers = Object.entries(MAKERS).map(([value, [title, text]]) => ({ value, title, text: text.replace("code", tree.game.noun) }));
  showPicks(byId("makers"), "maker", makers, settings.evil ? "evil" : "fair", (value) => {
    saveSettings({ evil: value === "evil" });
    redraw();
  });
  const looks = Object.entries(LOOKS).map(([value, title]) => ({ value, title }));
  showPicks(byId("looks"), "look", looks, settings.look, (look) => {
    saveSettings({ look });
    redraw();
  });
  byId("looks").parentElement.hidden = tree.game.rule === "position";
};

// Another game than those on the cards: its pegs and colors go up and down by steps.
export const startCustom = (playNamed) => {
  for (const button of document.querySelectorAll("[data-step]")) button.onclick = () => {
    const field = button.parentElement.querySelector("input");
    field[Number(button.dataset.step) > 0 ? "stepUp" : "stepDown"]();
    field.dispatchEvent(new Event("change"));
  };
  byId("another").onclick = () => {
    const [nPegs, nColors] = ["pegs", "colors"].map((id) => Number(byId(id).value));
    const name = `p${nPegs}c${nColors}${byId("repeats").checked ? "r" : "n"}`;
    byId("another-note").textContent = playNamed(name) ? "" :
      `Pegs 1 to 9, colors 1 to 35, and 2 to ${count(MOST_COMPUTED)} codes; ${name} is none of these.`;
  };
};
