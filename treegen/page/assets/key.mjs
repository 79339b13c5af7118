// The page of tables of answers: it asks one question after another, with a button for each answer,
// until one candidate is left.
import { Player } from "../../player/js/tgt_game.mjs";
import { listAnswers } from "../../player/js/tgt_rules.mjs";

const place = (id) => document.getElementById(id);

const makeButton = (text, action) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.onclick = action;
  return button;
};

// Starts the page with the tables in it; moves are pairs of a question and the response to it.
export const startKey = (tables) => {
  let player, moves;

  const open = (number) => {
    const text = atob(tables[number].table);
    player = new Player(Uint8Array.from(text, (c) => c.charCodeAt(0)));
    const { nSecrets, nQuestions } = player.game;
    const what = nQuestions ? `, ${nQuestions} questions` : "";
    place("figures").textContent =
      `${nSecrets} candidates${what}; at most ${player.meta.worst} are asked.`;
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
      place("question").textContent = "No candidate answers so. Take an answer back.";
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
  const isRight = (response) => response === player.game.nResponses - 1;

  const showAnswered = () => {
    const lines = moves.map(([code, response], at) => {
      const line = document.createElement("li");
      const label = isRight(response) ? "right" : listAnswers(player.game, code)[response];
      line.append(`${write(code)} ${label} `, makeButton("change", () => goBack(at)));
      return line;
    });
    place("answered").replaceChildren(...lines);
  };

  const show = () => {
    const { found, code, game } = player;
    showAnswered();
    place("undo").disabled = !moves.length;
    const isGuess = found === null && code < game.nSecrets;
    place("question").textContent = found ?? (isGuess ? `Is it ${write(code)}?` : write(code));
    const labels = found === null ? listAnswers(game, code) : [];
    const isLast = (response) => isGuess && response === labels.length - 1;
    const buttons = labels.map((label, response) =>
      makeButton(label, () => answer(isLast(response) ? game.nResponses - 1 : response)));
    place("answers").replaceChildren(...buttons);
    if (moves.length) place("question").focus();
  };

  place("undo").onclick = () => goBack(moves.length - 1);
  place("restart").onclick = restart;
  place("choice").hidden = tables.length === 1;
  place("tree").replaceChildren(...tables.map(({ name }) => new Option(name)));
  place("tree").onchange = (event) => open(event.target.selectedIndex);
  open(0);
};

if (globalThis.document) startKey(JSON.parse(place("tables").textContent));
