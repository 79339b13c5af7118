// Responses of one guess to many secrets at once: the loops where analysis spends its time.

const flattened = new WeakMap();

// All codes of a game in one array, colors in a row.
const flatten = ({ codes, nPegs }) => {
  if (!flattened.has(codes)) {
    const flat = new Uint16Array(codes.length * nPegs);
    codes.forEach((code, index) => flat.set(code, index * nPegs));
    flattened.set(codes, flat);
  }
  return flattened.get(codes);
};

const scorePegs = (game) => {
  const { nPegs, symbols } = game;
  const flat = flatten(game);
  const left = new Int32Array(symbols.length);
  const indexOf = new Uint16Array((nPegs + 1) ** 2);
  for (let response = 0; response < game.nResponses; response++) {
    const [black, white] = game.marksOf(response);
    indexOf[black * (nPegs + 1) + white] = response;
  }
  return (guess, secrets, row) => {
    const from = guess * nPegs;
    for (let peg = 0; peg < nPegs; peg++) left[flat[from + peg]]++;
    for (let at = 0; at < secrets.length; at++) {
      const base = secrets[at] * nPegs;
      let black = 0, common = 0;
      for (let peg = 0; peg < nPegs; peg++) {
        const color = flat[base + peg];
        if (color === flat[from + peg]) black++;
        if (left[color]-- > 0) common++;
      }
      for (let peg = 0; peg < nPegs; peg++) left[flat[base + peg]]++;
      // black (P + 1) + white, white = common - black
      row[at] = indexOf[black * nPegs + common];
    }
    for (let peg = 0; peg < nPegs; peg++) left[flat[from + peg]] = 0;
  };
};

const scorePositions = (game) => {
  const { nPegs, symbols } = game;
  const flat = flatten(game);
  const left = new Int32Array(symbols.length);
  return (guess, secrets, row) => {
    const from = guess * nPegs;
    for (let at = 0; at < secrets.length; at++) {
      const base = secrets[at] * nPegs;
      let response = 0;
      for (let peg = 0; peg < nPegs; peg++)
        if (flat[base + peg] !== flat[from + peg]) left[flat[base + peg]]++;
      for (let peg = 0; peg < nPegs; peg++) {
        const color = flat[from + peg];
        response *= 3;
        if (color === flat[base + peg]) response += 2;
        else if (left[color] > 0) {
          left[color]--;
          response++;
        }
      }
      for (let peg = 0; peg < nPegs; peg++) left[flat[base + peg]] = 0;
      row[at] = response;
    }
  };
};

const scoreBlack = ({ codes }) => (guess, secrets, row) => secrets.forEach((secret, at) => {
  row[at] = codes[guess].filter((color, peg) => color === codes[secret][peg]).length;
});

const SCORERS = { pegs: scorePegs, position: scorePositions, black: scoreBlack };
const MOST_KEPT = 3e7;
const scorers = new WeakMap();

// score(guess, secrets, row) writes the responses into row; whole rows of small games are kept.
export const scorerOf = (game) => {
  if (!scorers.has(game)) scorers.set(game, makeScorer(game));
  return scorers.get(game);
};

const makeScorer = (game) => {
  const score = SCORERS[game.rule](game);
  if (game.nCodes * game.nSecrets > MOST_KEPT) return score;
  const all = Array.from({ length: game.nSecrets }, (_, index) => index);
  const kept = Array(game.nCodes);
  const Row = game.nResponses > 256 ? Uint16Array : Uint8Array;
  return (guess, secrets, row) => {
    const whole = kept[guess];
    if (whole) for (let at = 0; at < secrets.length; at++) row[at] = whole[secrets[at]];
    else if (secrets.length * 4 < game.nSecrets) score(guess, secrets, row);
    else {
      score(guess, all, (kept[guess] = new Row(game.nSecrets)));
      for (let at = 0; at < secrets.length; at++) row[at] = kept[guess][secrets[at]];
    }
  };
};
