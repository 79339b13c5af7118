// The whole table of a key: what each candidate may answer to each question, and who is left after
// some answers, with their shares. The codes are the candidates, then the questions.

const MOST_SEEN = 255;

const readBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

const splitText = (text) => (text ? text.split("\n") : []);

// The columns of numbers that page/html.py packs, `counts` of each: a range coder that foresees each
// bit by how often it was 0 and 1 below the same number of the row above.
export const unpackColumns = (text, nRows, counts) => {
  const bytes = readBase64(text);
  let at = 0, code = 0, range = 2 ** 32;
  const takeByte = () => {
    code = code * 256 + (bytes[at++] ?? 0);
  };
  for (let left = 4; left--;) takeByte();
  // Of each kind of bit it is known how often it was 0, times 1024, and 1.
  const readBit = (seen, kind) => {
    const known = seen[kind] ?? 0;
    let zeros = known >> 10, ones = known & 1023;
    const bound = Math.floor((range * (2 * zeros + 1)) / (2 * (zeros + ones) + 2));
    const bit = code < bound ? 0 : 1;
    if (bit) {
      code -= bound;
      range -= bound;
      ones++;
    } else {
      range = bound;
      zeros++;
    }
    for (; range < 2 ** 24; range *= 256) takeByte();
    if (zeros + ones > MOST_SEEN) {
      zeros = (zeros + 1) >> 1;
      ones = (ones + 1) >> 1;
    }
    seen[kind] = zeros * 1024 + ones;
    return bit;
  };
  return counts.map((count) => {
    const width = 32 - Math.clz32(count - 1);
    const seen = [];
    const column = new Uint16Array(nRows);
    let above = 0;
    for (let row = 0; row < nRows; row++) {
      let node = 1;
      for (let left = width; left--;) node = 2 * node + readBit(seen, (above << width) + node);
      column[row] = above = node - (1 << width);
    }
    return column;
  });
};

// A table as it stands in the page: names and questions, the lists of answers and which of them is
// each question's, sets of answers, classes, weights, costs; the columns packed. Where candidates are
// compared, the columns are the guesses, and their numbers are the responses.
export const openWhole = ({ names, questions, answers, lists, sets, classes, weights, costs, unit, cells }) => {
  const candidates = splitText(names);
  const asked = splitText(questions);
  const n = candidates.length;
  const labels = answers.map((line) => line.split("\t"));
  const answersOf = asked.map((_, at) => labels[lists ? lists[at] : 0]);
  const setsOf = sets?.map((line) => (line ? line.split("\t").map((set) => set.split(",").map(Number)) : []));
  const isCompared = !asked.length;
  const counts = isCompared
    ? candidates.map(() => labels[0].length + 1)
    : answersOf.map((own, at) => own.length + (setsOf?.[at].length ?? 0));
  const classNames = splitText(classes);
  const columns = unpackColumns(cells, n, [...counts, ...(classes ? [classNames.length] : [])]);
  const classOf = classes ? columns.pop() : undefined;
  // What each number of a question's column stands for.
  const possible = counts.map((count, at) =>
    Array.from({ length: count }, (_, number) =>
      isCompared || number < answersOf[at].length ? [number] : setsOf[at][number - answersOf[at].length],
    ),
  );
  const nResponses = 1 + (isCompared ? labels[0].length : Math.max(1, ...answersOf.map((own) => own.length)));
  const guessed = [[0], [nResponses - 1]];

  // The answers that a candidate may give.
  const may = (code, candidate) => {
    if (isCompared) return possible[code][columns[code][candidate]];
    if (code < n) return guessed[Number(code === candidate)];
    return possible[code - n][columns[code - n][candidate]];
  };

  // Candidates with shares, divided by their answers; the first answers get what remains of a share.
  const divide = (code, { items, shares }) => {
    const found = new Map();
    items.forEach((candidate, at) => {
      const answers = may(code, candidate);
      const rest = shares[at] % answers.length;
      const whole = (shares[at] - rest) / answers.length;
      answers.forEach((answer, place) => {
        if (!found.has(answer)) found.set(answer, { items: [], shares: [] });
        found.get(answer).items.push(candidate);
        found.get(answer).shares.push(whole + Number(place < rest));
      });
    });
    return found;
  };

  const all = candidates.map((_, candidate) => candidate);
  const root = { items: all, shares: all.map((candidate) => (weights?.[candidate] ?? 1) * (unit ?? 1)) };
  const none = { items: [], shares: [] };

  // Who is left after some answers.
  const follow = (moves) =>
    moves
      .filter(({ response }) => response !== null)
      .reduce((left, { code, response }) => divide(code, left).get(response) ?? none, root);

  // For each candidate a row of bits: who may give the same answer to each question.
  const findAlike = () => {
    const width = Math.ceil(n / 32);
    const rows = all.map(() => new Int32Array(width).fill(-1));
    let open = all;
    columns.forEach((column, at) => {
      const givers = new Map();
      for (const candidate of all)
        for (const answer of possible[at][column[candidate]]) {
          if (!givers.has(answer)) givers.set(answer, new Int32Array(width));
          givers.get(answer)[candidate >> 5] |= 1 << candidate % 32;
        }
      for (const candidate of open) {
        const own = possible[at][column[candidate]].map((answer) => givers.get(answer));
        const row = rows[candidate];
        for (let word = 0; word < width; word++) {
          let bits = 0;
          for (const each of own) bits |= each[word];
          row[word] &= bits;
        }
      }
      open = open.filter((candidate) => rows[candidate].some((bits, word) =>
        bits & (word === candidate >> 5 ? ~(1 << candidate % 32) : -1)));
    });
    return rows;
  };

  // In the form in which readGame gives them.
  const words = {
    nSecrets: n,
    nQuestions: asked.length,
    nResponses,
    written: [...candidates, ...asked],
    answers: isCompared ? labels : answersOf,
  };
  return {
    n, candidates, questions: asked, words, nResponses, isCompared, isCertain: !sets, classOf, classNames,
    costs, unit: unit ?? 1, root, divide, follow, findAlike,
  };
};
