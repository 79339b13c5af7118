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

// Every state of a table by its answers: the candidates that are announced or guessed below it,
// and how many questions follow at most.
export const surveyTable = (bytes, game) => {
  const table = openTable(bytes, true);
  const states = new Map();
  const visit = (at, path) => {
    const code = table.guess(at);
    const labels = listAnswers(game, code);
    const found = new Set(code < game.nSecrets ? [code] : []);
    let depth = 0;
    labels.forEach((_, response) => {
      const next = table.answer(at, response);
      if (!next) return;
      const below = visit(next, [...path, response]);
      below.codes.forEach((each) => found.add(each));
      depth = Math.max(depth, below.depth + 1);
    });
    // A candidate that is guessed takes a question, too.
    const state = { codes: found, depth: depth || Number(code < game.nSecrets && !game.announces) };
    states.set(path.join(), state);
    return state;
  };
  visit(START, []);
  return states;
};

// Starts the page with the tables in it; moves are pairs of a question and the response to it.
export const startKey = (tables) => {
  let player, moves, states;

  const open = (number) => {
    const bytes = Uint8Array.from(atob(tables[number].table), (c) => c.charCodeAt(0));
    player = new Player(bytes);
    states = surveyTable(bytes, player.game);
    const { nSecrets, nQuestions } = player.game;
    const what = nQuestions ? `, ${count(nQuestions)} questions` : "";
    const { depth } = states.get("");
    const told = `${count(nSecrets)} candidates${what}; at most ${count(depth)} are asked.`;
    place("figures").textContent = [told, tables[number].stakes].filter(Boolean).join(" ");
    restart();
  };

  const restart = () => {
    player.restart();
    moves = [];
    show();
  };

  const answer = (response) => {
    const { code } = player;
    try {
      player.respond(response);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      place("problem").textContent = "No candidate answers so. Change an answer.";
      return;
    }
    moves.push([code, response]);
    show();
  };

  const goBack = (length) => {
    while (moves.length > length) {
      player.undo();
      moves.pop();
    }
    show();
  };

  const write = (code) => player.game.written[code];
  const ask = (code) => (code < player.game.nSecrets ? `Is it ${write(code)}?` : write(code));
  const isRight = (response) => response === player.game.nResponses - 1;
  const stateAfter = (responses) => states.get(responses.join());
  const given = () => moves.map(([, response]) => response);

  const showAnswered = () => {
    const lines = moves.map(([code, response], at) => {
      const line = document.createElement("li");
      const label = isRight(response) ? "right" : listAnswers(player.game, code)[response];
      line.append(
        make("span", ask(code)),
        make("b", label),
        makeButton("change", () => goBack(at)),
      );
      return line;
    });
    place("answered").replaceChildren(...lines);
  };

  // Where candidates are guessed, some that are guessed below a state are no longer possible there.
  const showLeft = () => {
    const isListed = player.game.announces && player.found === null;
    const codes = isListed ? [...(stateAfter(given())?.codes ?? [])] : [];
    codes.sort((a, b) => a - b);
    place("possible").textContent = `Still possible: ${count(codes.length)}`;
    place("remaining").hidden = !codes.length;
    const names = codes.slice(0, MOST_LISTED).map((code) => make("li", write(code)));
    if (codes.length > MOST_LISTED) names.push(make("li", `… ${count(codes.length - MOST_LISTED)} more`));
    place("left").replaceChildren(...names);
  };

  const describe = (found) => {
    if (found === null) return `Question ${moves.length + 1}`;
    return found.includes(" | ") ? "No question tells these apart:" : "It is";
  };

  const showAnswers = (isGuess) => {
    const { found, code, game } = player;
    const labels = found === null ? listAnswers(game, code) : [];
    const buttons = labels.map((label, number) => {
      const isLast = isGuess && number === labels.length - 1;
      const response = isLast ? game.nResponses - 1 : number;
      const button = makeButton(label, () => answer(response));
      if (!isLast && !stateAfter([...given(), response])) button.className = "none";
      return button;
    });
    place("answers").replaceChildren(...buttons);
  };

  const show = () => {
    const { found, code, game } = player;
    const isGuess = found === null && code < game.nSecrets;
    place("undo").disabled = place("restart").disabled = !moves.length;
    place("card").className = found === null ? "card" : "card found";
    place("count").textContent = describe(found);
    place("question").textContent = found ?? ask(code);
    place("problem").textContent = "";
    showAnswers(isGuess);
    showAnswered();
    showLeft();
    if (moves.length) place("question").focus();
  };

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "tree") return;
    if (event.key === "Backspace" && moves.length) goBack(moves.length - 1);
    if (/^[1-9]$/.test(event.key)) place("answers").children[event.key - 1]?.click();
  };

  document.onkeydown = press;
  place("undo").onclick = () => goBack(moves.length - 1);
  place("restart").onclick = restart;
  place("choice").hidden = tables.length === 1;
  place("tree").replaceChildren(...tables.map(({ name }) => new Option(name)));
  place("tree").onchange = (event) => open(event.target.selectedIndex);
  open(0);
};

if (globalThis.document) startKey(JSON.parse(place("tables").textContent));
