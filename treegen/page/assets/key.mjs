// The page of tables of answers: it asks one question after another, with a button for each answer,
// until one candidate is left.
import { Player } from "../../player/js/tgt_game.mjs";
import { START, openTable } from "../../player/js/tgt_player.mjs";
import { listAnswers, writeCode } from "../../player/js/tgt_rules.mjs";

const MOST_LISTED = 40;

// How traits compare: signs on tiles, and the words that are read out.
const SIGNS = { E: "=", D: "≠", H: "▲", L: "▼", P: "≈" };
const SPOKEN = { E: "equal", D: "different", H: "higher", L: "lower", P: "partly the same" };

const FEW = 12;

const count = (number) => number.toLocaleString("en-US");

const place = (id) => document.getElementById(id);

const make = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });

const makeButton = (text, action) =>
  Object.assign(make("button", text), { type: "button", onclick: action });

// The states of a table: the code of each, the states that its answers lead to, how many questions
// follow at most, the candidates that are announced or guessed below it. `leaves` has the candidates of
// each leaf where answers are uncertain, or classes announced. Beside the states `learnt`, by question
// and candidate: the answers that a candidate may give, for it is below these.
export const surveyTable = (bytes, game, leaves) => {
  const table = openTable(bytes, true);
  const learnt = new Map();
  const learn = (code, candidate, response) => {
    if (!learnt.has(code)) learnt.set(code, new Map());
    learnt.get(code).set(candidate, [...(learnt.get(code).get(candidate) ?? []), response]);
  };
  const visit = (at, path) => {
    const code = table.guess(at);
    const isGuess = code < game.nSecrets;
    const left = new Set(leaves?.[path] ?? (isGuess ? [code] : []));
    for (const candidate of left) learn(code, candidate, game.nResponses - 1);
    const next = new Map();
    // A candidate that is guessed takes a question, too.
    let depth = Number(isGuess && !game.announces);
    listAnswers(game, code).forEach((_, response) => {
      const place = table.answer(at, response);
      if (!place) return;
      const below = visit(place, [...path, response]);
      next.set(response, below);
      depth = Math.max(depth, below.depth + 1);
      for (const candidate of below.left) {
        left.add(candidate);
        learn(code, candidate, response);
      }
    });
    return { path, code, left, next, depth };
  };
  return { root: visit(START, []), learnt };
};

// Starts the page with the tables in it. A game is what has been answered: this leads to every state of
// the tree that no answer excludes, so a question is asked once, and its answer holds everywhere.
export const startKey = (tables) => {
  let game, names, shares, traits, root, learnt, moves;

  const open = (number) => {
    const { table, leaves, who, stakes } = tables[number];
    const bytes = Uint8Array.from(atob(table), (c) => c.charCodeAt(0));
    ({ game } = new Player(bytes));
    ({ root, learnt } = surveyTable(bytes, game, leaves));
    ({ names, shares, traits } = tables[number]);
    const { nSecrets, nQuestions } = game;
    const [what, always] = nQuestions
      ? [`, ${count(nQuestions)} questions`, " if you know every answer"]
      : ["", ""];
    const candidates = who ?? `${count(nSecrets)} candidates`;
    const told = `${candidates}${what}; at most ${count(root.depth)} are ${traits ? "guessed" : "asked"}${always}.`;
    place("figures").textContent = [told, stakes].filter(Boolean).join(" ");
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

  const isRight = (response) => response === game.nResponses - 1;
  const isWon = () => moves.length > 0 && isRight(moves.at(-1).response);
  const isOver = ({ next }) => game.announces && !next.size;

  // Whether a candidate gives all answers of a game; undefined if the tree does not ask it about all.
  const fits = (candidate, made) => {
    const known = made
      .filter(({ response }) => response !== null)
      .map(({ code, response }) => learnt.get(code).get(candidate)?.includes(response));
    if (known.includes(false)) return false;
    return known.includes(undefined) ? undefined : true;
  };

  // The states to which a game leads, each with the candidates that no answer excludes. Where these
  // are guessed, some that are guessed below a state are no longer possible there: all are kept.
  const reach = (made) => {
    const given = new Map(made.map(({ code, response }) => [code, response]));
    const follow = (state) => {
      const response = given.get(state.code);
      if (response === undefined || isOver(state)) return [state];
      const next = response === null ? [...state.next.values()] : [state.next.get(response) ?? []];
      return next.flat().flatMap(follow);
    };
    const isLeft = (candidate) => !game.announces || fits(candidate, made) !== false;
    return follow(root)
      .map((state) => ({ ...state, left: [...state.left].filter(isLeft) }))
      .filter(({ left }) => left.length);
  };

  // The question for which most candidates wait; undefined if the game is over.
  const choose = (states) => {
    const waiting = new Map();
    if (!isWon())
      for (const { code, left } of states.filter((state) => !isOver(state)))
        waiting.set(code, (waiting.get(code) ?? 0) + left.length);
    return [...waiting].sort(([, a], [, b]) => b - a)[0]?.[0];
  };

  const answer = (code, response) => {
    const made = [...moves, { code, response }];
    if (!isRight(response) && !reach(made).length) {
      place("problem").textContent = "No candidate answers so. Change an answer.";
      return;
    }
    moves = made;
    show();
  };

  // What is written on something that shows an answer: where traits compare, a tile for each.
  const fill = (element, label) => {
    if (!traits || label.length !== traits.length || !/^[EDHLP]+$/.test(label)) return element;
    const tiles = [...label].map((letter, at) =>
      Object.assign(make("span", `${traits[at]} ${SIGNS[letter]}`), { className: `tile ${letter}` }),
    );
    element.replaceChildren(...tiles);
    element.classList.add("tiles");
    element.setAttribute("aria-label", traits.map((trait, at) => `${trait} ${SPOKEN[label[at]]}`).join(", "));
    return element;
  };

  const ask = (code) => (code < game.nSecrets && !traits ? `Is it ${writeCode(game, code)}?` : writeCode(game, code));

  // Who is left at some states: candidates, their names or classes, and those names of which it is not
  // known that they give all answers.
  const listLeft = (states) => {
    const left = [...new Set(states.flatMap((state) => state.left))].sort((a, b) => a - b);
    const isSure = new Map();
    for (const candidate of left)
      for (const name of names?.[candidate].split(" | ") ?? [writeCode(game, candidate)])
        isSure.set(name, isSure.get(name) || fits(candidate, moves));
    const found = [...isSure.keys()];
    return { left, found, unsure: found.filter((name) => !isSure.get(name)) };
  };

  // What is said at the end: a heading, what was found, a note. After "I don't know" a candidate may be
  // left that the tree does not ask all that was answered: whether it fits is not known here.
  const conclude = (states) => {
    const name = (text) => [text.includes(" | ") ? "No question tells these apart:" : "It is", text];
    if (isWon()) return name(writeCode(game, moves.at(-1).code));
    const parts = shares?.[states[0].path];
    if (parts && moves.every(({ response }) => response !== null))
      return ["It may be", parts.map(([name, percent]) => `${name} ${percent} %`).join(", ")];
    const { left, found, unsure } = listLeft(states);
    const list = found.join(" | ");
    if (unsure.length) {
      const which = unsure.length < found.length ? unsure.join(" | ") : "these";
      return ["All others are ruled out:", list, `The key has not compared all your answers with ${which}.`];
    }
    if (left.length > 1 && found.length > 1) return ["It is one of these:", list];
    return name(list);
  };

  const showAnswered = () => {
    const lines = moves.map(({ code, response }, number) => {
      const line = document.createElement("li");
      const label = isRight(response) ? "right" : (listAnswers(game, code)[response] ?? "not known");
      line.append(
        make("span", ask(code)),
        fill(make("b", label), label),
        makeButton("change", () => goBack(number)),
      );
      return line;
    });
    place("answered").replaceChildren(...lines);
  };

  const showLeft = (states) => {
    const { found, unsure } = listLeft(states);
    place("possible").textContent = `Still possible: ${unsure.length ? "at most " : ""}${count(found.length)}`;
    place("remaining").hidden = !found.length;
    const lines = found.slice(0, MOST_LISTED).map((name) => make("li", name));
    if (found.length > MOST_LISTED) lines.push(make("li", `… ${count(found.length - MOST_LISTED)} more`));
    place("left").replaceChildren(...lines);
  };

  // The answers that a candidate gives, of the very many ways to compare. Where there are too many to
  // look through, a row of tiles for each trait narrows them down; a single one left is the answer.
  const offerTraits = (labels, buttons) => {
    const offered = [...buttons.keys()].filter((at) => !buttons[at].classList.contains("none"));
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

  const showAnswers = (code) => {
    const labels = code === undefined ? [] : listAnswers(game, code);
    const isGuess = code < game.nSecrets;
    const buttons = labels.map((label, number) => {
      const isLast = isGuess && number === labels.length - 1;
      const response = isLast ? game.nResponses - 1 : number;
      const button = makeButton(label, () => answer(code, response));
      if (!isLast && !reach([...moves, { code, response }]).length) button.className = "none";
      return fill(button, label);
    });
    place("answers").replaceChildren(...(traits ? offerTraits(labels, buttons) : buttons));
    place("skip").hidden = code === undefined || isGuess;
    place("skip").onclick = () => answer(code, null);
  };

  const show = () => {
    const states = reach(moves);
    const code = choose(states);
    const isFound = code === undefined;
    const [heading, text, note = ""] = isFound
      ? conclude(states)
      : [`${traits ? "Guess" : "Question"} ${moves.length + 1}`, ask(code)];
    place("undo").disabled = place("restart").disabled = !moves.length;
    place("card").className = isFound ? "card found" : "card";
    place("count").textContent = heading;
    place("question").textContent = text;
    place("note").textContent = note;
    place("problem").textContent = "";
    showAnswers(code);
    showAnswered();
    showLeft(game.announces && !isFound ? states : []);
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
