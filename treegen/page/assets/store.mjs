// What outlives a reload: games in this tab alone, statistics for all.

const openStorage = (kind) => {
  const memory = new Map();
  const read = (key) => {
    try {
      return window[kind].getItem(`treegen-${key}`);
    } catch {
      return memory.get(key);
    }
  };
  const write = (key, text) => {
    memory.set(key, text);
    try {
      window[kind].setItem(`treegen-${key}`, text);
    } catch {
      return;
    }
  };
  return {
    recall: (key) => {
      try {
        return JSON.parse(read(key) ?? "null");
      } catch {
        return null;
      }
    },
    keep: (key, value) => write(key, JSON.stringify(value)),
  };
};

export const tabStore = openStorage("sessionStorage");
const sharedStore = openStorage("localStorage");

// Games of the same codes: a change of strategy leaves them.
export const gameKey = ({ table, start }) => JSON.stringify([table.game.map((part) => String(part).slice(0, 60)), start]);

// What is kept of a game, checked: pairs of guess and response that some secret answers.
export const readHistory = ({ game }, kept) => {
  const isIndex = (number, limit) => Number.isInteger(number) && number >= 0 && number < limit;
  const isPair = (pair) => Array.isArray(pair) && isIndex(pair[0], game.nCodes) && isIndex(pair[1], game.nResponses);
  return Array.isArray(kept) && kept.every(isPair) ? kept : [];
};

const NOTHING = { lengths: {}, lost: 0, streak: 0, longest: 0 };

// Games of a game played to the end, in all tabs.
export const recallFigures = (tree) => ({ ...NOTHING, ...sharedStore.recall("figures")?.[gameKey(tree)] });

export const keepFigures = (tree, figures) =>
  sharedStore.keep("figures", { ...sharedStore.recall("figures"), [gameKey(tree)]: figures });

export const countGame = (tree, length) => {
  const figures = recallFigures(tree);
  const { lengths, lost, streak, longest } = figures;
  const now = length ? streak + 1 : 0;
  keepFigures(tree, {
    lengths: length ? { ...lengths, [length]: (lengths[length] ?? 0) + 1 } : lengths,
    lost: lost + (length ? 0 : 1), streak: now, longest: Math.max(longest, now),
  });
  return figures;
};
