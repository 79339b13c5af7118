// The page of tables of answers: it asks one question after another, with a button for each answer,
// until one candidate is left.
import { count, openKey } from "./asking.mjs";

const MOST_LISTED = 40;

// How traits compare: signs on tiles, and the words that are read out.
const SIGNS = { E: "=", D: "≠", H: "▲", L: "▼", P: "≈" };
const SPOKEN = { E: "equal", D: "different", H: "higher", L: "lower", P: "partly the same" };

const FEW = 12;

const place = (id) => document.getElementById(id);

const make = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });

const makeButton = (text, action) =>
  Object.assign(make("button", text), { type: "button", onclick: action });

// Starts the page with the tables in it. A game is what has been answered.
export const startKey = (tables) => {
  let key, moves;

  const open = (number) => {
    key = openKey(tables[number], tables);
    place("figures").textContent = key.figures;
    restart();
  };

  const restart = () => {
    moves = [];
    show();
  };

  const goBack = (length) => {
    moves.length = length;
    show();
  };

  const answer = (code, response) => {
    const made = key.take(moves, code, response);
    if (!made) {
      place("problem").textContent = "No candidate answers so. Change an answer.";
      return;
    }
    moves = made;
    show();
  };

  // What is written on something that shows an answer: where traits compare, a tile for each.
  const fill = (element, label) => {
    const { traits } = key;
    if (!traits || label.length !== traits.length || !/^[EDHLP]+$/.test(label)) return element;
    const tiles = [...label].map((letter, at) =>
      Object.assign(make("span", `${traits[at]} ${SIGNS[letter]}`), { className: `tile ${letter}` }),
    );
    element.replaceChildren(...tiles);
    element.classList.add("tiles");
    element.setAttribute("aria-label", traits.map((trait, at) => `${trait} ${SPOKEN[label[at]]}`).join(", "));
    return element;
  };

  const showAnswered = () => {
    const lines = moves.map((move, number) => {
      const line = document.createElement("li");
      const label = key.label(move);
      line.append(
        make("span", key.write(move.code)),
        fill(make("b", label), label),
        makeButton("change", () => goBack(number)),
      );
      return line;
    });
    place("answered").replaceChildren(...lines);
  };

  const showLeft = ({ left, isAtMost }) => {
    place("possible").textContent = `Still possible: ${isAtMost ? "at most " : ""}${count(left.length)}`;
    place("remaining").hidden = !left.length;
    const lines = left.slice(0, MOST_LISTED).map(({ name }) => make("li", name));
    if (left.length > MOST_LISTED) lines.push(make("li", `… ${count(left.length - MOST_LISTED)} more`));
    place("left").replaceChildren(...lines);
  };

  // The answers that a candidate gives, of the very many ways to compare. Where there are too many to
  // look through, a row of tiles for each trait narrows them down; a single one left is the answer.
  const offerTraits = (answers, buttons) => {
    const { traits } = key;
    const labels = answers.map(({ label }) => label);
    const offered = [...buttons.keys()].filter((at) => answers[at].isPossible);
    if (offered.length <= FEW) return offered.map((at) => buttons[at]);
    const picked = [];
    const agrees = (label, but) => traits.every((_, at) => at === but || !picked[at] || picked[at] === label[at]);
    const ways = offered.filter((at) => at < labels.length - 1);
    const picks = Object.assign(make("div", ""), { className: "picks" });
    const pick = (at, letter) => {
      picked[at] = picked[at] === letter ? undefined : letter;
      const left = ways.filter((way) => agrees(labels[way]));
      if (left.length === 1) return buttons[left[0]].click();
      const rows = traits.map((trait, at) => {
        const row = Object.assign(make("div", ""), { className: "tiles" });
        for (const letter of "EPHLD") {
          if (!ways.some((way) => labels[way][at] === letter && agrees(labels[way], at))) continue;
          const button = makeButton(`${trait} ${SIGNS[letter]}`, () => pick(at, letter));
          button.className = `tile ${letter}`;
          button.setAttribute("aria-pressed", picked[at] === letter);
          button.setAttribute("aria-label", `${trait} ${SPOKEN[letter]}`);
          row.append(button);
        }
        return row;
      });
      picks.replaceChildren(...rows);
    };
    pick(0, undefined);
    return [picks, buttons.at(-1)];
  };

  const showAnswers = ({ code, answers, maySkip }) => {
    const buttons = answers.map(({ label, response, isPossible }) => {
      const button = makeButton(label, () => answer(code, response));
      if (!isPossible) button.className = "none";
      return fill(button, label);
    });
    place("answers").replaceChildren(...(key.traits ? offerTraits(answers, buttons) : buttons));
    place("skip").hidden = !maySkip;
    place("skip").onclick = () => answer(code, null);
  };

  const show = () => {
    const now = key.look(moves);
    place("undo").disabled = place("restart").disabled = !moves.length;
    place("card").className = now.code === undefined ? "card found" : "card";
    place("count").textContent = now.heading;
    place("question").textContent = now.text;
    place("note").textContent = now.note;
    place("problem").textContent = "";
    showAnswers(now);
    showAnswered();
    showLeft(now);
    if (moves.length) place("question").focus();
  };

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "tree") return;
    if (event.key === "Backspace" && moves.length) goBack(moves.length - 1);
    if (event.key === "0" && !place("skip").hidden) place("skip").click();
    if (/^[1-9]$/.test(event.key)) document.querySelectorAll("#answers > button")[event.key - 1]?.click();
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
