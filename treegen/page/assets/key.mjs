// The page of tables of answers: it asks one question after another, with a button for each answer or a
// field for a number, until one candidate is left; any question may be answered at any time.
import { count, openKey, writePercent } from "./asking.mjs";
import { compareAll, findColumns, readMeasured } from "./measured.mjs";

const MOST_LISTED = 40;
const MOST_OFFERED = 6;
const MOST_MEMBERS = 12;
const MOST_TOLD = 80;

// How traits compare: signs on tiles, and the words that are read out.
const SIGNS = { E: "=", D: "≠", H: "▲", L: "▼", P: "≈" };
const SPOKEN = { E: "equal", D: "different", H: "higher", L: "lower", P: "partly the same" };

const FEW = 12;

const place = (id) => document.getElementById(id);

const make = (kind, text, given) => Object.assign(document.createElement(kind), { textContent: text, ...given });

const makeButton = (text, onclick, given) => make("button", text, { type: "button", onclick, ...given });

// Names and answers as people order them: Country 2 before Country 10.
const { compare } = new Intl.Collator("en", { numeric: true });

const writeTile = (trait, letter, end = "") => [
  `${trait} `,
  make("span", SIGNS[letter], { role: "img", ariaLabel: SPOKEN[letter] + end }),
];

// The share behind a name keeps its sign on its line.
const SHARE = /((?:\d+|<1) %)/;
const joinShare = (part, at) => (at % 2 ? make("span", part, { className: "share" }) : part);

const LINK = /(https:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

// A text whose addresses are links.
const writeLinks = (text) =>
  text.split(LINK).map((part, at) =>
    at % 2 ? make("a", part, { href: part, target: "_blank", rel: "noopener noreferrer" }) : part,
  );

// Starts the page with the tables in it. A game is what has been answered: steps with the code of a
// question and its response, or with a column and the number that was measured; null: not known.
export const startKey = (tables) => {
  const [notes, hints] = [tables[0].notes, tables[0].hints].map((texts) => new Map(Object.entries(texts ?? {})));
  let key, columns, steps, wanted, moves;

  const open = (number) => {
    key = openKey(tables[number], tables);
    columns = findColumns(key);
    place("figures").textContent = key.figures;
    place("all").hidden = !key.isWhole;
    place("other").textContent = key.codes.length ? "Answer any question" : "Enter any guess";
    restart();
  };

  const restart = () => {
    steps = [];
    moves = [];
    wanted = undefined;
    show();
  };

  // The moves of some steps; undefined if no candidate answers so. Where the page has the table, a number
  // answers all questions about its column, else each when the tree asks it.
  const expand = (made) => {
    let found = [];
    const answer = ({ code, response, ...more }) => {
      found = found && key.take(found, code, response, more);
    };
    for (const step of made)
      if (!step.column) answer(step);
      else if (key.isWhole) compareAll(step.column, step.span).forEach(answer);
    for (; found && !key.isWhole; ) {
      const { code } = key.look(found);
      const step = made.find(({ column }) => column?.valueOf.has(code));
      if (!step) break;
      answer(compareAll(step.column, step.span).find((each) => each.code === code));
    }
    return found;
  };

  const concerns = (step, code) => (step.column ? step.column.valueOf.has(code) : step.code === code);

  // Takes an answer: to the next question, or in the place of an earlier one. Where a changed answer
  // excludes all, later ones that do not agree are taken back.
  const give = (step, code) => {
    const old = steps.findIndex((each) => concerns(each, code));
    const made = old < 0 ? [...steps, step] : steps.with(old, step);
    let [kept, dropped] = [expand(made) ? made : undefined, []];
    if (!kept && old >= 0) {
      kept = [step];
      for (const each of steps.filter((_, at) => at !== old))
        if (expand([...kept, each])) kept = [...kept, each];
        else dropped.push(each);
      kept = made.filter((each) => kept.includes(each));
      if (!expand(kept)) kept = undefined;
    }
    if (!kept) {
      place("problem").textContent = "No candidate answers so. Change an answer.";
      return;
    }
    [steps, wanted] = [kept, undefined];
    show(dropped.length ? `Taken back, as no candidate answers both so: ${dropped.map(writeStep).join("; ")}.` : "");
  };

  const takeBack = (at) => {
    steps = steps.toSpliced(at, 1);
    wanted = undefined;
    show();
  };

  const goBack = () => {
    if (wanted === undefined) steps.pop();
    wanted = undefined;
    show();
  };

  const askFor = (code) => {
    wanted = code;
    show();
  };

  const findColumn = (code) => columns.find(({ valueOf }) => valueOf.has(code));

  const nameStep = ({ code, column }) => column?.name ?? key.write(code);
  const labelStep = (step) => (step.column ? (step.text ?? "not known") : key.label(step));
  const writeStep = (step) => {
    const asked = nameStep(step);
    return `${asked}${asked.endsWith("?") ? "" : ":"} ${spell(labelStep(step))}`;
  };
  const hintOf = (code) => {
    const name = findColumn(code)?.name;
    return hints.get(key.write(code)) ?? hints.get(name) ?? "";
  };

  const comparesTraits = (label) => key.traits?.length === label.length && /^[EDHLP]+$/.test(label);

  const spell = (label) => {
    if (!comparesTraits(label)) return label;
    return key.traits.map((trait, at) => `${trait} ${SPOKEN[label[at]]}`).join(", ");
  };

  // What is written on something that shows an answer: where traits compare, a tile for each.
  const fill = (element, label) => {
    const { traits } = key;
    if (!comparesTraits(label)) return element;
    const tiles = [...label].map((letter, at) => {
      const tile = make("span", "", { className: `tile ${letter}` });
      tile.append(...writeTile(traits[at], letter, at + 1 < traits.length ? "," : ""));
      return tile;
    });
    element.replaceChildren(...tiles);
    element.className += " tiles";
    return element;
  };

  const showAnswered = () => {
    const lines = steps.map((step, at) => {
      const asked = nameStep(step);
      const line = make("li", "");
      const buttons = make("span", "", { className: "both" });
      buttons.append(
        makeButton("change", () => askFor(step.code ?? [...step.column.valueOf.keys()][0]), { ariaLabel: `change ${asked}` }),
        makeButton("take back", () => takeBack(at), { ariaLabel: `take back ${asked}` }),
      );
      line.append(make("span", asked), fill(make("b", labelStep(step)), labelStep(step)), buttons);
      return line;
    });
    place("answered").replaceChildren(...lines);
  };

  // The notes of some candidates: texts, links, pictures; of several, below the name of each.
  const describeNotes = (names) => {
    const own = names.flatMap((name) => (notes.has(name) ? [name] : name.split(" | "))).filter((name) => notes.has(name));
    return [...new Set(own)].flatMap((name) => [
      ...(names.length > 1 || own.length > 1 ? [make("p", name, { className: "of" })] : []),
      ...notes.get(name).map(([title, text, isPicture]) => {
        const line = make("p", "", { className: "note" });
        if (isPicture) line.append(make("img", "", { src: text, alt: [name, title].filter(Boolean).join(", "), loading: "lazy" }));
        else line.append(...(title ? [make("small", title), " "] : []), ...writeLinks(text));
        return line;
      }),
    ]);
  };

  // A line for a candidate or class: its share, whom it has, their notes.
  const makeLine = ({ name, percent, members = [] }) => {
    const line = make("li", "");
    const names = members.map(key.name).filter((each) => each !== name).sort(compare);
    const more = names.length > MOST_MEMBERS ? `, … ${count(names.length - MOST_MEMBERS)} more` : "";
    const whom = names.length ? `: ${names.slice(0, MOST_MEMBERS).join(", ")}${more}` : "";
    const described = describeNotes(names.length ? names : [name]);
    const head = make(described.length ? "summary" : "span", "");
    head.append(make("bdi", `${name}${whom}`), ...(percent === undefined ? [] : [make("b", writePercent(percent))]));
    if (!described.length) line.append(head);
    else {
      const details = make("details", "");
      details.append(head, ...described);
      line.append(details);
    }
    return line;
  };

  const sortLeft = (left) =>
    [...left].sort((a, b) => (b.percent ?? 0) - (a.percent ?? 0) || compare(a.name, b.name));

  const showLeft = ({ left, isAtMost, code }) => {
    place("possible").textContent = `Still possible: ${isAtMost ? "at most " : ""}${count(left.length)}`;
    const isAlone = code === undefined && left.length === 1 && !(left[0].members?.length > 1);
    place("remaining").hidden = !left.length || isAlone;
    const lines = sortLeft(left).slice(0, MOST_LISTED).map(makeLine);
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
    const picks = make("div", "", { className: "picks" });
    const pick = (at, letter) => {
      picked[at] = picked[at] === letter ? undefined : letter;
      const left = ways.filter((way) => agrees(labels[way]));
      if (left.length === 1) return buttons[left[0]].click();
      const rows = traits.map((trait, at) => {
        const row = make("div", "", { className: "tiles" });
        for (const letter of "EPHLD") {
          if (!ways.some((way) => labels[way][at] === letter && agrees(labels[way], at))) continue;
          const ariaPressed = String(picked[at] === letter);
          const button = makeButton("", () => pick(at, letter), { className: `tile ${letter}`, ariaPressed });
          button.append(...writeTile(trait, letter));
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
    const column = findColumn(code);
    const old = steps.find((step) => concerns(step, code));
    const ordered = key.traits ? answers : [...answers].sort((a, b) => a.isRight - b.isRight || compare(a.label, b.label));
    const buttons = ordered.map(({ label, response, isPossible }) => {
      const button = makeButton(label, () => give({ code, response }, code));
      if (!isPossible) button.className = "none";
      if (old) button.ariaPressed = String(old.response === response);
      return fill(button, label);
    });
    place("answers").replaceChildren(...(column ? [] : key.traits ? offerTraits(answers, buttons) : buttons));
    place("measure").hidden = !column;
    place("skip").hidden = !maySkip;
    place("skip").onclick = () => give(column ? { column, span: null } : { code, response: null }, code);
    if (column) showField(column, code, old);
  };

  const showField = (column, code, old) => {
    let odd;
    place("unit").textContent = column.unit;
    place("number").value = old?.text ?? "";
    place("measure").onsubmit = (event) => {
      event.preventDefault();
      const text = place("number").value.trim();
      const { span, problem } = readMeasured(text, column);
      if (!span || (problem && odd !== text)) {
        place("problem").textContent = problem;
        odd = text;
        return;
      }
      give({ column, span, text }, code);
    };
  };

  // The questions of some codes, each column of numbers once.
  const joinColumns = (listed) => {
    const seen = new Set();
    return listed.filter(({ code }) => {
      const column = findColumn(code);
      const isNew = !seen.has(column);
      if (column) seen.add(column);
      return !column || isNew;
    });
  };

  const makeQuestion = ({ code, helps, least, most, leaves }, step) => {
    const line = make("li", "");
    const column = findColumn(code);
    const button = makeButton("", () => askFor(code));
    button.append(make("span", column?.name ?? key.write(code)));
    const hint = hintOf(code);
    if (hint) button.append(make("small", hint));
    if (step) button.append(fill(make("b", labelStep(step)), labelStep(step)));
    else if (!column && helps !== undefined) {
      const number = least === most ? count(most) : `${count(least)} to ${count(most)}`;
      const named = leaves?.map(({ label, left }) => `${label}: ${left.join(", ")}`).join("; ") ?? "";
      const isShort = named && named.length <= MOST_TOLD;
      button.append(make("small", isShort ? named : helps ? `leaves ${number}` : "changes nothing"));
    }
    line.append(button);
    return line;
  };

  const showQuestions = () => {
    if (!place("all").open) return;
    const answered = steps.map((step) => ({ code: step.code ?? [...step.column.valueOf.keys()][0], step }));
    const listed = [...key.list(moves), ...answered].sort((a, b) => a.code - b.code);
    const asked = joinColumns(listed);
    const wanted = place("search").value.trim().toLowerCase();
    place("find").hidden = asked.length < MOST_MEMBERS && !wanted;
    const found = asked.filter(({ code }) =>
      `${findColumn(code)?.name ?? key.write(code)} ${hintOf(code)}`.toLowerCase().includes(wanted),
    );
    const lines = found.slice(0, MOST_LISTED).map((each) => makeQuestion(each, each.step));
    if (found.length > MOST_LISTED)
      lines.push(make("li", `… ${count(found.length - MOST_LISTED)} more: search for a word`));
    if (!found.length) lines.push(make("li", "No question has these words."));
    place("questions").replaceChildren(...lines);
  };

  // What a ticket or a label needs: questions, answers, result.
  const writeText = () => {
    const { heading, text, note, code, left } = key.look(moves);
    const end = code === undefined ? `${heading} ${text}${note && `\n${note}`}` : "";
    const names = sortLeft(left).map(({ name }) => name);
    const open = names.length ? `Still possible: ${names.slice(0, MOST_LISTED).join(", ")}` : "";
    return [document.title, ...steps.map(writeStep), end || open].filter(Boolean).join("\n");
  };

  const copy = async () => {
    const text = writeText();
    try {
      await navigator.clipboard.writeText(text);
      place("copied").textContent = "Copied.";
    } catch {
      const field = place("text");
      Object.assign(field, { value: text, hidden: false, rows: text.split("\n").length });
      field.select();
      place("copied").textContent = "Copy the text below.";
    }
  };

  const show = (problem = "") => {
    moves = expand(steps);
    const now = key.look(moves, wanted);
    const isFound = now.code === undefined;
    const column = findColumn(now.code);
    const at = steps.findIndex((step) => concerns(step, now.code));
    place("undo").disabled = !steps.length && wanted === undefined;
    place("restart").disabled = place("copy").disabled = !steps.length;
    place("card").className = isFound ? "card found" : "card";
    place("count").textContent = isFound
      ? now.heading
      : `${key.traits ? "Guess" : "Question"} ${(at < 0 ? steps.length : at) + 1}`;
    place("question").replaceChildren(...(column?.name ?? now.text).split(SHARE).map(joinShare));
    place("question").className = place("question").textContent.length > 80 ? "long" : "";
    place("hint").textContent = isFound ? "" : hintOf(now.code);
    place("note").textContent = now.note || now.why;
    place("problem").textContent = problem;
    place("text").hidden = true;
    place("copied").textContent = "";
    showAnswers(now);
    showAnswered();
    showLeft(now);
    const offers = joinColumns(now.offers ?? []);
    place("offered").hidden = !offers.length;
    place("offers").replaceChildren(...offers.slice(0, MOST_OFFERED).map((each) => makeQuestion(each)));
    const members = now.left.flatMap(({ name, members }) => members?.map(key.name) ?? [name]);
    const found = !isFound ? [] : members.length ? members : now.text.split(" | ");
    place("notes").replaceChildren(...(found.length <= MOST_OFFERED ? describeNotes(found) : []));
    showQuestions();
    if (steps.length || wanted !== undefined) place(column ? "number" : "question").focus();
  };

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === "Backspace" && (steps.length || wanted !== undefined)) goBack();
    if (event.key === "0" && !place("skip").hidden) place("skip").click();
    if (/^[1-9]$/.test(event.key)) document.querySelectorAll("#answers > button")[event.key - 1]?.click();
  };

  document.onkeydown = press;
  place("undo").onclick = goBack;
  place("restart").onclick = restart;
  place("copy").onclick = copy;
  place("all").ontoggle = place("search").oninput = showQuestions;
  place("choice").hidden = tables.length === 1;
  place("tree").replaceChildren(...tables.map(({ name }) => new Option(name)));
  place("tree").onchange = (event) => open(event.target.selectedIndex);
  open(0);
};

if (globalThis.document) startKey(JSON.parse(place("tables").textContent));
