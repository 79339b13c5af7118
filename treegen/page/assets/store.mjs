// What outlives a reload: games in this tab alone, statistics for all.

const openStorage = (kind) => {
  const memory = new Map();
  const nameOf = (key) => (key ? `treegen-${key}` : "treegen");
  const recall = (key) => {
    try {
      return JSON.parse(window[kind].getItem(nameOf(key)));
    } catch {
      return memory.get(key) ?? null;
    }
  };
  const keep = (key, value) => {
    memory.set(key, value);
    try {
      window[kind].setItem(nameOf(key), JSON.stringify(value));
    } catch {
      return;
    }
  };
  return { recall, keep };
};

export const tabStore = openStorage("sessionStorage");
export const sharedStore = openStorage("localStorage");

// 64 bits of a text, as 16 digits.
export const digest = (text) => {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (const sign of text) {
    low = Math.imul(low ^ sign.codePointAt(0), 2654435761);
    high = Math.imul(high ^ sign.codePointAt(0), 1597334677);
    low ^= high >>> 15;
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
};

// Games of the same codes and answers: a change of strategy leaves them.
const knownKeys = new Map();
export const gameKey = ({ game, start }) => {
  const whole = `${game.key} ${JSON.stringify(start)}`;
  if (!knownKeys.has(whole)) knownKeys.set(whole, digest(whole));
  return knownKeys.get(whole);
};

// What is kept of a game, checked: pairs of guess and response that some secret answers.
export const readHistory = ({ game }, kept) => {
  const isIndex = (number, limit) => Number.isInteger(number) && number >= 0 && number < limit;
  const isPair = (pair) => Array.isArray(pair) && isIndex(pair[0], game.nCodes) && isIndex(pair[1], game.nResponses);
  return Array.isArray(kept) && kept.every(isPair) ? kept : [];
};

// Of games with hints it is kept how many there were, and how many of them were won.
export const NO_FIGURES = { lengths: {}, lost: 0, streak: 0, longest: 0, helped: [0, 0] };

// Games of a game played to the end, in all tabs.
export const recallFigures = (tree) => ({ ...NO_FIGURES, ...sharedStore.recall("figures")?.[gameKey(tree)] });

export const keepFigures = (tree, figures) =>
  sharedStore.keep("figures", { ...sharedStore.recall("figures"), [gameKey(tree)]: figures });

// How a code of a day ended, in all tabs: the guesses it took, 0 for a loss; undefined before.
export const recallDaily = (tree, day) => {
  const kept = sharedStore.recall("daily")?.[gameKey(tree)];
  return kept?.day === day ? kept.length : undefined;
};

export const keepDaily = (tree, day, length) =>
  sharedStore.keep("daily", { ...sharedStore.recall("daily"), [gameKey(tree)]: { day, length } });

// Games with hints are counted apart. A won one leaves the streak as it is; a lost one ends it, so that no hint
// saves it.
export const countGame = (tree, length, isHelped) => {
  const figures = recallFigures(tree);
  const { lengths, lost, streak, longest, helped } = figures;
  const now = length ? streak + 1 : 0;
  keepFigures(tree, isHelped ? {
    ...figures, helped: [helped[0] + 1, helped[1] + (length ? 1 : 0)], streak: length ? streak : 0,
  } : {
    ...figures, lengths: length ? { ...lengths, [length]: (lengths[length] ?? 0) + 1 } : lengths,
    lost: lost + (length ? 0 : 1), streak: now, longest: Math.max(longest, now),
  });
  return figures;
};
