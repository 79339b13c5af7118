// How a key asks: who is possible after some answers, what is asked next, what is said at the end.
// It knows no page; key.mjs shows what it says.
//
//     const key = openKey(entry)        // one of the tables in the page
//     key.figures                       // a sentence on the whole key
//     key.traits                        // names of the traits, where candidates are compared
//     key.write(code), key.label(move)  // a question or guess, an answer, in words
//     const moves = []                  // what was answered, in any order: [{ code, response }],
//                                       // response null: not known. To take an answer back, leave
//                                       // its move out.
//     key.take(moves, code, response)   // the moves with one more; undefined if nobody answers so
//     key.look(moves)                   // all that there is to show now:
//         code                          // what is asked; undefined at the end
//         heading, text, note           // the question, or what was found
//         answers                       // [{ label, response, isPossible, isRight }]
//         maySkip                       // whether "I don't know" is an answer
//         left, isAtMost                // who is possible: [{ name }]; whether some of them may not be
import { Player } from "../../player/js/tgt_game.mjs";
import { START, openTable } from "../../player/js/tgt_player.mjs";
import { listAnswers, writeCode } from "../../player/js/tgt_rules.mjs";

export const count = (number) => number.toLocaleString("en-US");

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

// Opens a key. What has been answered leads to every state of the tree that no answer excludes, so a
// question is asked once, and its answer holds everywhere.
export const openKey = ({ table, leaves, names, shares, traits, who, stakes }) => {
  const bytes = Uint8Array.from(atob(table), (c) => c.charCodeAt(0));
  const { game } = new Player(bytes);
  const { root, learnt } = surveyTable(bytes, game, leaves);

  const describe = () => {
    const { nSecrets, nQuestions } = game;
    const [what, always] = nQuestions
      ? [`, ${count(nQuestions)} questions`, " if you know every answer"]
      : ["", ""];
    const candidates = who ?? `${count(nSecrets)} candidates`;
    const told = `${candidates}${what}; at most ${count(root.depth)} are ${traits ? "guessed" : "asked"}${always}.`;
    return [told, stakes].filter(Boolean).join(" ");
  };

  const isGuess = (code) => code < game.nSecrets;
  const isRight = (response) => response === game.nResponses - 1;
  const isWon = (moves) => moves.some(({ response }) => isRight(response));
  const isOver = ({ next }) => game.announces && !next.size;

  const write = (code) =>
    isGuess(code) && !traits ? `Is it ${writeCode(game, code)}?` : writeCode(game, code);

  const label = ({ code, response }) =>
    isRight(response) ? "right" : (listAnswers(game, code)[response] ?? "not known");

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

  // The question for which most candidates wait; undefined if the game is over.
  const choose = (states, moves) => {
    const waiting = new Map();
    if (!isWon(moves))
      for (const { code, left } of states.filter((state) => !isOver(state)))
        waiting.set(code, (waiting.get(code) ?? 0) + left.length);
    return [...waiting].sort(([, a], [, b]) => b - a)[0]?.[0];
  };

  const take = (moves, code, response) => {
    const made = [...moves, { code, response }];
    return isRight(response) || reach(made).length ? made : undefined;
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
    const name = (text) => [text.includes(" | ") ? "No question tells these apart:" : "It is", text];
    if (isWon(moves)) return name(writeCode(game, moves.find(({ response }) => isRight(response)).code));
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
    return name(list);
  };

  const offer = (moves, code) => {
    const labels = code === undefined ? [] : listAnswers(game, code);
    return labels.map((label, number) => {
      const isLast = isGuess(code) && number === labels.length - 1;
      const response = isLast ? game.nResponses - 1 : number;
      const isPossible = isLast || reach([...moves, { code, response }]).length > 0;
      return { label, response, isPossible, isRight: isLast };
    });
  };

  const look = (moves) => {
    const states = reach(moves);
    const code = choose(states, moves);
    const isFound = code === undefined;
    const [heading, text, note = ""] = isFound
      ? conclude(states, moves)
      : [`${traits ? "Guess" : "Question"} ${moves.length + 1}`, write(code)];
    const { found, unsure } = listLeft(game.announces && !isFound ? states : [], moves);
    return {
      code,
      heading,
      text,
      note,
      answers: offer(moves, code),
      maySkip: !isFound && !isGuess(code),
      left: found.map((name) => ({ name })),
      isAtMost: unsure.length > 0,
    };
  };

  return { figures: describe(), traits, write, label, take, look };
};
