// The page of tables of answers: it asks one question after another, with a button for each answer,
// until one candidate is left.
import { Player } from "../../player/js/tgt_game.mjs";
import { START, openTable } from "../../player/js/tgt_player.mjs";
import { listAnswers } from "../../player/js/tgt_rules.mjs";

const MOST_LISTED = 40;

const count = (number) => number.toLocaleString("en-US");

const place = (id) => document.getElementById(id);

const make = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });

const makeButton = (text, action) =>
  Object.assign(make("button", text), { type: "button", onclick: action });

// Every state of a table by its answers: its code, the candidates that are announced or guessed below
// it, how many questions follow at most, and the responses that lead on.
export const surveyTable = (bytes, game) => {
  const table = openTable(bytes, true);
  const states = new Map();
  const visit = (at, path) => {
    const code = table.guess(at);
    const found = new Set(code < game.nSecrets ? [code] : []);
    const responses = [];
    let depth = 0;
    listAnswers(game, code).forEach((_, response) => {
      const next = table.answer(at, response);
      if (!next) return;
      responses.push(response);
      const below = visit(next, [...path, response]);
      below.codes.forEach((each) => found.add(each));
      depth = Math.max(depth, below.depth + 1);
    });
    // A candidate that is guessed takes a question, too.
    const guessed = Number(code < game.nSecrets && !game.announces);
    const state = { path, code, codes: found, depth: depth || guessed, responses };
    states.set(path.join(), state);
    return state;
  };
  visit(START, []);
  return states;
};

// Starts the page with the tables in it. A game is at one state; where an answer is not known, at all
// states to which it may lead, and the question of the one with the most candidates is asked.
export const startKey = (tables) => {
  let game, states, shares, at, moves;

  const open = (number) => {
    const bytes = Uint8Array.from(atob(tables[number].table), (c) => c.charCodeAt(0));
    ({ game } = new Player(bytes));
    states = surveyTable(bytes, game);
    ({ shares } = tables[number]);
    const { nSecrets, nQuestions } = game;
    const what = nQuestions ? `, ${count(nQuestions)} questions` : "";
    const who = tables[number].who ?? `${count(nSecrets)} candidates`;
    const told = `${who}${what}; at most ${count(states.get("").depth)} are asked.`;
    place("figures").textContent = [told, tables[number].stakes].filter(Boolean).join(" ");
    restart();
  };

  const restart = () => {
    at = [states.get("")];
    moves = [];
    show();
  };

  const isRight = (response) => response === game.nResponses - 1;
  const isOver = (state) => game.announces && !state.responses.length;
  const follow = (state, response) => states.get([...state.path, response].join());
  const last = () => moves.at(-1);
  const isWon = () => moves.length > 0 && last().response !== null && isRight(last().response);

  // The state whose question is asked; none if the game is over.
  const asking = () => {
    if (isWon()) return undefined;
    const open = at.filter((state) => !isOver(state));
    return open.sort((a, b) => b.codes.size - a.codes.size)[0];
  };

  // An answer holds for every state that asks the same question; the others wait for theirs.
  const answer = (response) => {
    const { code } = asking();
    const next = at.flatMap((state) => {
      if (state.code !== code || isRight(response)) return [state];
      if (response === null) return state.responses.map((each) => follow(state, each));
      return follow(state, response) ?? [];
    });
    if (!next.length) {
      place("problem").textContent = "No candidate answers so. Change an answer.";
      return;
    }
    moves.push({ code, response, before: at });
    at = next;
    show();
  };

  const goBack = (length) => {
    at = moves[length].before;
    moves.length = length;
    show();
  };

  const write = (code) => game.written[code];
  const ask = (code) => (code < game.nSecrets ? `Is it ${write(code)}?` : write(code));

  // What may be announced: a text of a table with uncertain answers or classes may hold several.
  const listNames = (codes) => {
    const names = [...codes].sort((a, b) => a - b).map(write);
    return shares ? [...new Set(names.flatMap((name) => name.split(" | ")))] : names;
  };

  const tellFound = () => {
    if (isWon()) return write(last().code);
    const parts = at.length === 1 && shares?.[at[0].path.join()];
    if (parts) return parts.map(([name, percent]) => `${name} ${percent} %`).join(", ");
    return listNames(at.map(({ code }) => code)).join(" | ");
  };

  const showAnswered = () => {
    const lines = moves.map(({ code, response }, number) => {
      const line = document.createElement("li");
      const label = isRight(response) ? "right" : (listAnswers(game, code)[response] ?? "not known");
      line.append(
        make("span", ask(code)),
        make("b", label),
        makeButton("change", () => goBack(number)),
      );
      return line;
    });
    place("answered").replaceChildren(...lines);
  };

  // Where candidates are guessed, some that are guessed below a state are no longer possible there.
  const showLeft = () => {
    const isListed = game.announces && asking();
    const names = isListed ? listNames(new Set(at.flatMap(({ codes }) => [...codes]))) : [];
    place("possible").textContent = `Still possible: ${count(names.length)}`;
    place("remaining").hidden = !names.length;
    const lines = names.slice(0, MOST_LISTED).map((name) => make("li", name));
    if (names.length > MOST_LISTED) lines.push(make("li", `… ${count(names.length - MOST_LISTED)} more`));
    place("left").replaceChildren(...lines);
  };

  const describe = (found) => {
    if (found === null) return `Question ${moves.length + 1}`;
    if (found.includes(" %")) return "It may be";
    return found.includes(" | ") ? "No question tells these apart:" : "It is";
  };

  const showAnswers = (state) => {
    const labels = state ? listAnswers(game, state.code) : [];
    const isGuess = state && state.code < game.nSecrets;
    const buttons = labels.map((label, number) => {
      const isLast = isGuess && number === labels.length - 1;
      const response = isLast ? game.nResponses - 1 : number;
      const button = makeButton(label, () => answer(response));
      if (!isLast && !state.responses.includes(response)) button.className = "none";
      return button;
    });
    place("answers").replaceChildren(...buttons);
    place("skip").hidden = !state || isGuess;
  };

  const show = () => {
    const state = asking();
    const found = state ? null : tellFound();
    place("undo").disabled = place("restart").disabled = !moves.length;
    place("card").className = found === null ? "card" : "card found";
    place("count").textContent = describe(found);
    place("question").textContent = found ?? ask(state.code);
    place("problem").textContent = "";
    showAnswers(state);
    showAnswered();
    showLeft();
    if (moves.length) place("question").focus();
  };

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "tree") return;
    if (event.key === "Backspace" && moves.length) goBack(moves.length - 1);
    if (event.key === "0" && !place("skip").hidden) answer(null);
    if (/^[1-9]$/.test(event.key)) place("answers").children[event.key - 1]?.click();
  };

  document.onkeydown = press;
  place("undo").onclick = () => goBack(moves.length - 1);
  place("restart").onclick = restart;
  place("skip").onclick = () => answer(null);
  place("choice").hidden = tables.length === 1;
  place("tree").replaceChildren(...tables.map(({ name }) => new Option(name)));
  place("tree").onchange = (event) => open(event.target.selectedIndex);
  open(0);
};

if (globalThis.document) startKey(JSON.parse(place("tables").textContent));
