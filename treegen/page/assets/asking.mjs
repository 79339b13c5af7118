// How a key asks: who is possible after some answers, what is asked next, what is said at the end.
// It knows no page; key.mjs shows what it says. With the whole table all is exact, and any question may
// be asked at any time; with the tree alone, those that it asks are.
//
//     const key = openKey(entry, tables) // one of the tables in the page
//     key.figures                        // a sentence on the whole key
//     key.traits                         // names of the traits, where candidates are compared
//     key.isWhole                        // whether the page has the whole table
//     key.write(code), key.label(move)   // a question or guess, an answer, in words
//     const moves = []                   // what was answered: [{ code, response }], response null: not
//                                        // known. To take an answer back, leave its move out.
//     key.take(moves, code, response)    // the moves with this answer, in the place of another one to
//                                        // the question; undefined if nobody answers so. Of an answer
//                                        // by a number more is given: { isOfNumber, isImplied };
//                                        // implied by others, it counts in no share
//     key.look(moves, wanted)            // all that there is to show now; `wanted` is a question to ask
//                                        // instead of the next: to change its answer, or an earlier one
//         code                           // what is asked; undefined at the end
//         heading, text, note            // the question, or what was found; a sentence more
//         why                            // off the tree of a whole table, why it is asked; else empty
//         answers                        // [{ label, response, isPossible, isRight }]
//         maySkip                        // whether "I don't know" is an answer
//         left, isAtMost                 // who is possible, the likeliest first: [{ name, percent, members }],
//                                        // percent and members (numbers of candidates) of a whole
//                                        // table; whether some of them may not be
//         offers                         // at the end of a whole table: what may still help, like `list`,
//                                        // with `leaves`: [{ label, left: names }], for each answer
//     key.list(moves)                    // what may be asked now: [{ code, text, helps, least, most }];
//                                        // helps: whether an answer excludes somebody; how many
//                                        // candidates are left at least, and at most. Empty for a tree.
import { Player } from "../../player/js/tgt_game.mjs";
import { START, openTable } from "../../player/js/tgt_player.mjs";
import { listAnswers, writeCode } from "../../player/js/tgt_rules.mjs";
import { makeRule } from "./rating.mjs";
import { openWhole } from "./whole.mjs";

// At the end; all are listed beside it.
const MOST_NAMED = 8;

export const count = (number) => number.toLocaleString("en-US");

export const writePercent = (percent) => (percent > 0 && percent < 0.5 ? "<1 %" : `${percent.toFixed(0)} %`);

// The states of a table: the code of each, the states that its answers lead to, how many questions
// follow at most, the candidates that are announced or guessed below it. `leaves` has the candidates of
// each leaf where answers are uncertain, or classes announced. Beside the states `learnt`, by question
// and candidate: the answers that a candidate may give, for it is below these.
const surveyTable = (bytes, game, leaves) => {
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

// What the page of a tree alone knows: every state that no answer excludes is followed, so a question is
// asked once, and its answer holds everywhere.
const openTree = (game, bytes, { leaves, names, shares }) => {
  const { root, learnt } = surveyTable(bytes, game, leaves);
  const isOver = ({ next }) => game.announces && !next.size;

  // Whether a candidate gives all answers of a game; undefined if the tree does not ask it about all.
  const fits = (candidate, moves) => {
    const known = moves
      .filter(({ response }) => response !== null)
      .map(({ code, response }) => learnt.get(code).get(candidate)?.includes(response));
    if (known.includes(false)) return false;
    return known.includes(undefined) ? undefined : true;
  };

  // The states to which a game leads, each with the candidates that no answer excludes. Where these
  // are guessed, some that are guessed below a state are no longer possible there: all are kept.
  const reach = (moves) => {
    const given = new Map(moves.map(({ code, response }) => [code, response]));
    const follow = (state) => {
      const response = given.get(state.code);
      if (response === undefined || isOver(state)) return [state];
      const next = response === null ? [...state.next.values()] : [state.next.get(response) ?? []];
      return next.flat().flatMap(follow);
    };
    const isLeft = (candidate) => !game.announces || fits(candidate, moves) !== false;
    return follow(root)
      .map((state) => ({ ...state, left: [...state.left].filter(isLeft) }))
      .filter(({ left }) => left.length);
  };

  // The question for which most candidates wait; undefined if all are over.
  const choose = (states) => {
    const waiting = new Map();
    for (const { code, left } of states.filter((state) => !isOver(state)))
      waiting.set(code, (waiting.get(code) ?? 0) + left.length);
    return [...waiting].sort(([, a], [, b]) => b - a)[0]?.[0];
  };

  // Who is left at some states: candidates, their names or classes, and those names of which it is not
  // known that they give all answers.
  const listLeft = (states, moves) => {
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
  const conclude = (states, moves) => {
    const parts = shares?.[states[0].path];
    if (parts && moves.every(({ response }) => response !== null))
      return ["It may be", parts.map(([name, percent]) => `${name} ${percent} %`).join(", ")];
    const { left, found, unsure } = listLeft(states, moves);
    const list = found.join(" | ");
    if (unsure.length) {
      const which = unsure.length < found.length ? unsure.join(" | ") : "these";
      return ["All others are ruled out:", list, `The key has not compared all your answers with ${which}.`];
    }
    if (left.length > 1 && found.length > 1) return ["It is one of these:", list];
    return announce(list);
  };

  return {
    depth: root.depth,
    codes: [...learnt.keys()],
    isPossible: (moves) => reach(moves).length > 0,
    list: () => [],
    look: (moves) => {
      const states = reach(moves);
      const code = choose(states);
      const { found, unsure } = listLeft(game.announces && code !== undefined ? states : [], moves);
      const left = found.map((name) => ({ name }));
      const end = code === undefined && states.length ? conclude(states, moves) : [];
      return { code, end, left, isAtMost: unsure.length > 0, offers: [], why: "" };
    },
  };
};

// What the page of a whole table knows. While a game is on a path of the tree, the tree asks; else the
// best question by the rule is asked, of those whose answer may be known.
const openAll = (game, bytes, { depth, rule }, whole) => {
  const isWin = !game.announces;
  const first = isWin || whole.isCompared ? 0 : whole.n;
  const { isOver, choose, reason } = makeRule({ ...whole, first }, rule, isWin);
  const table = openTable(bytes, true);
  const shift = table.nCodes - whole.n - whole.questions.length;
  const start = Array.from({ length: table.start.length / 2 }, (_, at) => ({
    code: table.start[2 * at] - shift,
    response: table.start[2 * at + 1],
  }));
  const codes = Array.from({ length: whole.n + whole.questions.length - first }, (_, at) => first + at);
  const follow = (moves) => whole.follow([...start, ...moves.filter(({ isImplied }) => !isImplied)]);

  // What the tree asks; undefined if the game has left it. A number may say more than the tree has asked.
  const askTree = (moves, left) => {
    const given = new Map(moves.map((move) => [move.code, move]));
    const needed = moves.filter(({ isOfNumber }) => !isOfNumber).length;
    let state = START;
    let code = table.guess(state) - shift;
    let used = 0;
    while (state && given.has(code) && given.get(code).response !== null) {
      const { response, isOfNumber } = given.get(code);
      state = table.answer(state, response);
      if (state) code = table.guess(state) - shift;
      used += Number(!isOfNumber);
    }
    const isAsked = state && used === needed;
    return isAsked && (needed === moves.length || describe(code, left).helps) ? code : undefined;
  };

  const listOpen = (moves) => {
    const asked = new Set([...start, ...moves].map(({ code }) => code));
    return codes.filter((code) => !asked.has(code));
  };

  const findNext = (left, moves) => {
    if (isOver(left.items) || moves.some(({ response }) => response === game.nResponses - 1)) return undefined;
    if (isWin && left.items.length === 1) return left.items[0];
    const unknown = moves.filter(({ response }) => response === null).map(({ code }) => code);
    const best = askTree(moves, left) ?? choose(left, [...listOpen(moves), ...unknown].sort((a, b) => a - b));
    return unknown.includes(best) ? choose(left, listOpen(moves)) : best;
  };

  // Names or classes of some candidates, the likeliest first, each with its part of the weight.
  const share = ({ items, shares }) => {
    const total = shares.reduce((sum, share) => sum + share, 0);
    const parts = new Map();
    items.forEach((item, at) => {
      const name = whole.classOf ? whole.classNames[whole.classOf[item]] : whole.candidates[item];
      if (!parts.has(name)) parts.set(name, { name, percent: 0, members: [], share: 0 });
      parts.get(name).members.push(item);
      parts.get(name).share += total ? shares[at] : 1;
    });
    const found = [...parts.values()].sort((one, other) => other.share - one.share);
    return found.map(({ name, members, share }) => ({ name, members, percent: (100 * share) / (total || items.length) }));
  };

  const describe = (code, left) => {
    const sizes = [...whole.divide(code, left).values()].map(({ items }) => items.length);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    return { code, helps: least < left.items.length, least, most };
  };

  const addLeft = (left) => (offer) => ({
    ...offer,
    leaves: [...whole.divide(offer.code, left)].sort(([a], [b]) => a - b).map(([response, cell]) => ({
      label: whole.words.answers[offer.code - whole.n]?.[response],
      left: share(cell).map(({ name }) => name),
    })),
  });

  const list = (moves) => {
    const left = follow(moves);
    return listOpen(moves).map((code) => describe(code, left));
  };

  // What is said at the end: a heading, what was found, a note.
  const conclude = (left, parts, moves, offers) => {
    if (parts.length === 1) return announce(parts[0].name);
    const named = parts.slice(0, MOST_NAMED).map(({ name, percent }) => `${name} ${writePercent(percent)}`);
    const others = parts.length > MOST_NAMED ? [`… ${count(parts.length - MOST_NAMED)} more`] : [];
    const text = [...named, ...others].join(", ");
    if (!isOver(left.items)) return ["It may be", text, "You do not know the answers that would help."];
    const isKnown = moves.every(({ response }) => response !== null);
    if (offers.length || !isKnown) return ["It may be", text, "No question tells these apart for certain."];
    return ["It may be", text, "No question tells these apart."];
  };

  return {
    depth,
    codes,
    isPossible: (moves) => follow(moves).items.length > 0,
    list,
    look: (moves) => {
      const left = follow(moves);
      const code = findNext(left, moves);
      const parts = share(left);
      const isEnd = code === undefined;
      const offers = isEnd && parts.length > 1 ? list(moves).filter(({ helps }) => helps) : [];
      const end = isEnd ? conclude(left, parts, moves, offers) : [];
      const isOff = !isEnd && left.items.length > 1 && askTree(moves, left) !== code;
      const why = isOff ? `Not from the tree: it ${reason}.` : "";
      return { code, end, left: parts, isAtMost: false, offers: offers.map(addLeft(left)), why };
    },
  };
};

const announce = (text) => [text.includes(" | ") ? "No question tells these apart:" : "It is", text];

// Opens a key; trees of one table share it.
export const openKey = (entry, tables) => {
  const { table, traits, who, stakes } = entry;
  const bytes = Uint8Array.from(atob(table), (c) => c.charCodeAt(0));
  const { game: plain } = new Player(bytes);
  const ofWhole = typeof entry.whole === "number" ? tables[entry.whole].whole : entry.whole;
  const whole = ofWhole && openWhole(ofWhole);
  const game = whole ? { ...plain, ...whole.words } : plain;
  const state = whole ? openAll(game, bytes, entry, whole) : openTree(game, bytes, entry);

  const describe = () => {
    const { nSecrets, nQuestions } = game;
    const [what, always] = nQuestions
      ? [`, ${count(nQuestions)} questions`, " if you know every answer"]
      : ["", ""];
    const candidates = who ?? `${count(nSecrets)} candidates`;
    const summary = `${candidates}${what}; at most ${count(state.depth)} are ${traits ? "guessed" : "asked"}${always}.`;
    const alone = whole ? "" : "This page holds the tree, not the whole table.";
    return [summary, stakes, alone].filter(Boolean).join(" ");
  };

  const isGuess = (code) => code < game.nSecrets;
  const isRight = (response) => response === game.nResponses - 1;

  const write = (code) =>
    isGuess(code) && !traits ? `Is it ${writeCode(game, code)}?` : writeCode(game, code);

  const label = ({ code, response }) =>
    isRight(response) ? "right" : (listAnswers(game, code)[response] ?? "not known");

  const leaveOut = (moves, code) => moves.filter((move) => move.code !== code);

  const take = (moves, code, response, more) => {
    const answer = { code, response, ...more };
    const isNew = !moves.some((move) => move.code === code);
    const made = isNew ? [...moves, answer] : moves.map((move) => (move.code === code ? answer : move));
    return (isRight(response) && !whole) || state.isPossible(made) ? made : undefined;
  };

  const offer = (moves, code) => {
    const labels = code === undefined ? [] : listAnswers(game, code);
    return labels.map((label, number) => {
      const isLast = isGuess(code) && number === labels.length - 1;
      const response = isLast ? game.nResponses - 1 : number;
      const isPossible = (isLast && !whole) || state.isPossible([...moves, { code, response }]);
      return { label, response, isPossible, isRight: isLast };
    });
  };

  const list = (moves) => state.list(moves).map((each) => ({ ...each, text: write(each.code) }));

  const look = (moves, wanted) => {
    const won = moves.find(({ response }) => isRight(response));
    const now = state.look(moves);
    const code = wanted ?? (won ? undefined : now.code);
    const isFound = code === undefined;
    const [heading, text, note = ""] = !isFound
      ? [`${traits ? "Guess" : "Question"} ${leaveOut(moves, code).length + 1}`, write(code)]
      : won ? announce(writeCode(game, won.code)) : now.end;
    const offers = isFound && !won ? now.offers.map((each) => ({ ...each, text: write(each.code) })) : [];
    return {
      ...now,
      why: wanted === undefined ? now.why : "",
      code,
      heading,
      text,
      note,
      answers: offer(leaveOut(moves, code), code),
      maySkip: !isFound && !isGuess(code),
      offers,
    };
  };

  return {
    figures: describe(),
    traits,
    isWhole: Boolean(whole),
    codes: state.codes.filter((code) => !isGuess(code)),
    name: (code) => writeCode(game, code),
    labels: (code) => listAnswers(game, code),
    write,
    label,
    take,
    list,
    look,
  };
};
