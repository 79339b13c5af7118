// A class that plays one code: a word to type, a link and a QR code to scan, a line from each pupil, what the lines
// say together. Nothing is sent to anybody, and no line has a name.
import { count, plural } from "./engine.mjs";
import { drawWord, joinClass, linkToClass, readWord } from "./challenge.mjs";
import { findNicest, listFitting, playLine, readLines, writeLine } from "./lines.mjs";
import { addressOfPage, copyAndSay, isServed, nameShared } from "./share.mjs";
import { gameKey, tabStore } from "./store.mjs";
import { draw, make, nameOpponent, row, spell } from "./ui.mjs";

// Where the page lies for others: where it is served, or what it was made for; undefined for a page from disk.
const addressOf = () => isServed() ? addressOfPage()
  : document.querySelector('[property="og:url"]')?.content;

// Only pages for a server have the script that makes QR codes, qr.mjs; a very long link has none.
const drawQr = (text) => {
  const rows = globalThis.encodeQr?.(text);
  if (!rows) return "";
  const whole = rows.length + 8;
  const d = rows.flatMap((row, y) => row.map((one, x) => (one & 1 ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return draw("svg", { class: "qr", viewBox: `0 0 ${whole} ${whole}`, role: "img", "aria-label": "QR code of the link", "shape-rendering": "crispEdges" },
    draw("path", { d: `M0 0h${whole}v${whole}H0z`, fill: "#fff" }), draw("path", { d }));
};

const makeCopy = (name, read) => {
  const said = make("span.said", { role: "status" });
  return [make("button", { onclick: () => copyAndSay(said, read()) }, name), said];
};

// What a pupil sends back after the game.
export const makeSendBack = (tree, state) => {
  const text = writeLine(tree, state);
  return [make("b", {}, "Send this line to your teacher:"), make("code", {}, text), make("div.buttons", {},
    navigator.share ? make("button", { onclick: () => navigator.share({ text }).catch(() => undefined) }, "Send line") : "",
    ...makeCopy("Copy line", () => text))];
};

const judged = new Map();

// The card: a field for pupils; once a class has begun, what its teacher shows and reads.
export const makeClassroom = (tree, trees, ask, play, openAnalysis) => {
  const { game, root } = tree;
  const { noun } = game;
  const key = `class ${gameKey(tree)}`;
  let { word, text = "" } = tabStore.recall(key) ?? {};
  let run = 0;

  const fault = make("p.bad", { role: "alert" });
  const typed = make("input", { id: "class-word", autocomplete: "off", spellcheck: "false", size: 9,
    onkeydown: (event) => event.key === "Enter" && join() });
  const join = () => {
    const read = readWord(typed.value);
    if (read) play(joinClass(tree, read));
    else fault.textContent = "That is not the word of a class. Check its six letters.";
  };
  const button = (name, onclick, kind = "button") => make(kind, { onclick }, name);
  const begin = button("Start a class", () => set(drawWord()));
  const joining = make("div.join", {}, make("p", {}, `A whole class looks for the same ${noun}.`),
    make("label", { for: "class-word" }, "The word of your class"), typed, " ", button("Play", join, "button.primary"), fault,
    make("p", {}, "For teachers: ", begin));

  const poster = make("div.poster", { tabindex: -1 });
  const summary = make("p", { role: "status" });
  const chart = make("div");
  const nicest = make("div");
  const notes = make("div.notes");
  const pasted = make("textarea", { id: "class-lines", rows: 5, oninput: () => {
    text = pasted.value;
    keep();
    showLines();
  } });
  const address = addressOf();
  const linkOf = () => address + linkToClass(tree, word);
  const teacher = make("div.teacher", {}, poster,
    make("div.buttons", {}, button("Another word", () => set(drawWord())), button("Print", () => print()), button("End the class", () => set()),
      ...address ? makeCopy("Copy link", linkOf) : []),
    make("label", { for: "class-lines" }, "Paste the lines of your pupils, or the whole chat:"), pasted,
    make("div.results", {}, summary, chart, nicest, notes));
  const card = make("details.card.classroom", {}, make("summary", {}, "Play together"), joining, teacher);

  const keep = () => tabStore.keep(key, { word, text });

  // Lines of one word stay when another one begins.
  const set = (next) => {
    word = next;
    if (!word) text = "";
    keep();
    show();
    (word ? poster : begin).focus();
  };

  const show = () => {
    const isOn = word !== undefined;
    card.open ||= isOn;
    card.classList.toggle("on", isOn);
    pasted.value = text;
    if (!isOn) return;
    const item = (...parts) => make("li", {}, ...parts);
    const bold = (name) => make("b", {}, name);
    poster.replaceChildren(address ? drawQr(linkOf()) : "", make("div", {},
      make("p.word", {}, word),
      make("p", {}, bold(nameShared(tree)), game.title === nameShared(tree) ? "" : `: ${game.title}`),
      make("ol", {},
        address ? item("Scan the code, or open ", make("span.url", {}, linkOf())) : "",
        item(`${address ? "Or open" : "Open"} this page, choose `, bold("Learn"), ", then ", bold("Play together"), ", and type ", bold(word)),
        item(`Find the ${noun}, the same for all of you. Hints are allowed, and counted.`),
        item("At the end, send your line to your teacher. It has no name in it."))));
    showLines();
  };

  const showLines = () => {
    const mine = ++run;
    const isWanted = () => mine === run && card.isConnected;
    const { lines, nAgain, damaged } = readLines(tree, text);
    const games = lines.filter((line) => line.word === word).map((line) => ({ ...line, ...playLine(tree, line) }));
    const alone = games.filter(({ length, hints }) => length && !hints);
    const nFound = games.filter(({ length }) => length).length;
    summary.textContent = !games.length ? text.trim() && `No line of ${word} yet.`
      : `${plural(games.length, "game")}: ${nFound} found the ${noun}, ${games.length - nFound} did not.`
        + (alone.length ? ` ${(alone.reduce((sum, { length }) => sum + length, 0) / alone.length).toFixed(2)} guesses on average without hints.` : "");
    chart.replaceChildren();
    nicest.replaceChildren();
    showNotes(lines, nAgain, damaged);
    if (games.length) showChart(games, isWanted).then(() => showNicest(games, isWanted));
  };

  const showNotes = (lines, nAgain, damaged) => notes.replaceChildren(
    nAgain ? make("p", {}, `Pasted more than once, counted once: ${plural(nAgain, "line")}.`) : "",
    ...[...new Set(lines.map((line) => line.word))].filter((one) => one !== word).map((one) =>
      button(`Show ${one}`, () => set(one))),
    damaged.length ? make("p", {}, "Not counted, since damaged or of another game:") : "",
    make("ul", {}, ...damaged.map((one) => make("li", {}, one.slice(0, 80)))));

  // A bar for each number of guesses: of the class, and of the trees over all codes, that of Knuth after the chosen one.
  const showChart = async (games, isWanted) => {
    const knuth = trees.find((one) => gameKey(one) === gameKey(tree) && /^knuth\b/.test(one.meta.strategy));
    const needs = [];
    const numbers = [];
    for (const { length } of games) numbers[length] = (numbers[length] ?? 0) + 1;
    const nCodes = root.candidates.length;
    const columns = [["The class", games.length, numbers]];
    const drawChart = () => {
      const most = Math.max(...columns.map(([, , all]) => all.length));
      const widest = Math.max(...columns.flatMap(([, n, all]) => all.map((number) => number / n)));
      const cell = (length) => ([, n, all, its], at) => {
        if (!all[length]) return make("td");
        const part = all[length] / n;
        const bar = make(`i.bar${at ? ".theirs" : ""}`, { "aria-hidden": "true" });
        bar.style.width = `${55 * part / widest}%`;
        const helped = at ? 0 : games.filter((one) => one.length === length && one.hints).length;
        return make("td", {}, bar, at ? `${(100 * part).toFixed(1)} %` : all[length], helped ? `, ${helped} with hints` : "",
          its === length ? make("b", {}, " ◂") : "");
      };
      const rows = Array.from({ length: most }, (_, length) =>
        make("tr", {}, make("th", { scope: "row" }, length || "Not found"), ...columns.map(cell(length))));
      chart.replaceChildren(make("table", {}, make("caption", {}, needs.length ? `◂ ${word}: ${needs.join(", ")}` : ""),
        make("thead", {}, make("tr", {}, ...["Guesses", ...columns.map(([name]) => name)].map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...rows.slice(1), numbers[0] ? rows[0] : "")));
    };
    drawChart();
    for (const one of new Set([tree, knuth ?? tree])) {
      const ended = await ask(one, { ask: "lengths", secrets: [games[0].secret] }, isWanted);
      const all = one.isComputed || await ask(one, { ask: "lengths", secrets: root.candidates }, isWanted);
      const name = nameOpponent(one);
      if (!isWanted()) return;
      needs.push(`${name} needs ${ended.length - 1}`);
      if (!one.isComputed) columns.push([`${name}, all ${count(nCodes)} ${noun}s`, nCodes, all, ended.length - 1]);
      drawChart();
    }
  };

  // The guess that teaches most. Guesses are judged without a limit of time, so that all machines name the same one.
  const showNicest = async (games, isWanted) => {
    const fitting = listFitting(tree, games);
    for (const [at, one] of fitting.entries()) {
      const name = [tree.name, one.moves].join();
      if (!judged.has(name)) {
        nicest.replaceChildren(`Looking for the nicest mistake: guess ${at + 1} of ${fitting.length}…`);
        judged.set(name, await ask(tree, { ask: "judge", history: one.moves }, isWanted));
        if (!isWanted()) return;
      }
      Object.assign(one, judged.get(name));
    }
    const found = findNicest(fitting);
    const heading = make("h2", {}, "The nicest mistake");
    const rule = make("p.hint", {}, "A guess that fits every answer before it, and so looks right, but costs the most guesses on average: 0.1 or more.");
    if (!found) return nicest.replaceChildren(heading, make("p", {}, "There is none."), rule);
    const { moves, number, cost, n, kind, guess, bestGuess } = found;
    nicest.replaceChildren(heading,
      make("ol.board", { "aria-label": "The guesses before it" }, ...moves.slice(0, -1).map(([code, response], at) => row(game, at + 1, code, response))),
      make("p", {}, `Guess ${moves.length}, with ${plural(n, noun)} left: `, spell(game, guess), ` fits, but costs ${kind === "estimate" ? "≈ " : ""}${cost.toFixed(2)} guesses on average. `,
        spell(game, bestGuess), ` is better. ${number > 1 ? `${number} of you guessed so. ` : ""}`, button("Why?", () => openAnalysis(moves.slice(0, -1), guess))), rule);
  };

  // Questions are for a card that stands in the page.
  queueMicrotask(show);
  return card;
};
