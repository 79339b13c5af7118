// Text as people have it: one form, letters as they are seen, names in any case. The rules are those
// of treegen/games/text.py; tests/vectors/text.json holds both to them.

export const normalize = (text) => text.normalize("NFC");

// A name or an answer in its one form: single spaces within, none at the ends.
export const clean = (text) => normalize(text).trim().split(/\s+/).join(" ");

// What a reader sees as one: a letter with its marks, an emoji, a flag.
export const splitLetters = (text) => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
};

// What texts have in common that differ in case alone. Letter by letter, since the last sigma of a
// word is another one; a dotless i has a capital of its own.
const foldLetter = (letter) =>
  letter === "ı" ? letter : letter.toLowerCase().toUpperCase().toLowerCase().replace("ς", "σ");

export const fold = (text) => normalize([...normalize(text)].map(foldLetter).join(""));

// The same by the case of a dotted and a dotless i.
export const foldTurkic = (text) => fold(normalize(text).replaceAll("I", "ı").replaceAll("İ", "i"));

// The place of the name that a text means: the one that is spelled so, or the only one that differs in
// case alone; -1 if there is none.
export const findName = (names, text) => {
  const meant = clean(text);
  const exact = names.findIndex((name) => name === text || clean(name) === meant);
  if (exact >= 0) return exact;
  const folds = [fold, foldTurkic].map((by) => [by, by(meant)]);
  const isAlike = (name) => folds.some(([by, folded]) => by(name) === folded);
  const [place = -1, ...others] = [...names.keys()].filter((at) => isAlike(clean(names[at])));
  return others.length ? -1 : place;
};
