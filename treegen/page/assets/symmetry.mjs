// Games are the same when pegs change places and colors change names: guesses that differ by that
// alone are worth the same, and a tree's guess serves for all of them.

const MOST_PEGS = 6;

const permutations = (n) =>
  n === 0 ? [[]] : permutations(n - 1).flatMap((short) =>
    Array.from({ length: n }, (_, at) => [...short.slice(0, at), n - 1, ...short.slice(at)]));

// Where each peg goes, for all ways that keep the responses; the first leaves them.
const knownOrders = new WeakMap();
const ordersOf = (game) => {
  if (!knownOrders.has(game)) {
    const same = Array.from({ length: game.nPegs }, (_, peg) => peg);
    const isFree = game.isSymmetric && game.nPegs <= MOST_PEGS;
    knownOrders.set(game, isFree ? [same, ...permutations(game.nPegs)] : [same]);
  }
  return knownOrders.get(game);
};

// Names of colors, one map for all pegs; where only the place counts, one for each peg.
const makeNames = (game) => {
  const shared = [new Map(), new Map()];
  const isEach = game.rule === "black" && game.repeats;
  const each = isEach && game.codes[0].map(() => [new Map(), new Map()]);
  return (peg) => (each ? each[peg] : shared);
};

// Take a color for another; false where it has another name, or the name is another's.
const bind = ([there, back], from, to) => {
  if (!there.has(from) && !back.has(to)) {
    there.set(from, to);
    back.set(to, from);
  }
  return there.get(from) === to;
};

// Colors without a name get the free ones, both ascending.
const complete = (game, names) => {
  const colors = game.symbols.map((_, color) => color);
  game.codes[0].forEach((_, peg) => {
    const [there, back] = names(peg);
    const free = colors.filter((color) => !back.has(color));
    for (const color of colors) if (!there.has(color)) bind([there, back], color, free.shift());
  });
};

const makeMap = (game, order, names) => {
  complete(game, names);
  return {
    to: (code) => game.indexOf(order.map((from, peg) => names(peg)[0].get(game.codes[code][from]))),
    from: (code) => {
      const colors = Array(game.nPegs);
      order.forEach((from, peg) => (colors[from] = names(peg)[1].get(game.codes[code][peg])));
      return game.indexOf(colors);
    },
  };
};

// The map that takes some guesses to others, one by one; undefined where there is none.
export const findMap = (game, guesses, images) => {
  if (!game.isSymmetric) {
    const isSame = guesses.every((guess, at) => guess === images[at]);
    return isSame ? { to: (code) => code, from: (code) => code } : undefined;
  }
  for (const order of ordersOf(game)) {
    const names = makeNames(game);
    const isMapped = guesses.every((guess, at) => order.every((from, peg) =>
      bind(names(peg), game.codes[guess][from], game.codes[images[at]][peg])));
    if (isMapped) return makeMap(game, order, names);
  }
  return undefined;
};

// The map that takes guesses to the first of all that are the same by symmetry.
export const findCanonicalMap = (game, guesses) => {
  if (!game.isSymmetric) return { to: (code) => code, from: (code) => code };
  let best;
  for (const order of ordersOf(game)) {
    const names = makeNames(game);
    const colors = guesses.flatMap((guess) => order.map((from, peg) => {
      const [there, back] = names(peg);
      const color = game.codes[guess][from];
      if (!there.has(color)) bind([there, back], color, there.size);
      return there.get(color);
    }));
    const at = best ? colors.findIndex((color, place) => color !== best.colors[place]) : 0;
    if (at >= 0 && (!best || colors[at] < best.colors[at])) best = { colors, order, names };
  }
  return makeMap(game, best.order, best.names);
};
