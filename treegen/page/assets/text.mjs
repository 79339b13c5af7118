// Text as people have it: NFC, what a reader sees as one letter, capitals. The same rules as in Python;
// tests/vectors/text.json holds both to them.

export const normalize = (text) => text.normalize("NFC");

export const splitLetters = (text) => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...segmenter.segment(normalize(text))].map(({ segment }) => segment);
};

// One text for all that differ in capitals alone, by Unicode's full folding; dotted and dotless i are
// one. Letter by letter, because a whole word's last sigma is another one.
export const fold = (text) =>
  normalize([...normalize(text)].map((letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join(""))
    .replace(/ς/g, "σ").replace(/i\u0307|ı/g, "i");

// The place of a text among others: itself, or the only one that differs in capitals; -1 if there is none.
export const findAlike = (texts, text) => {
  const exact = texts.findIndex((other) => normalize(other) === normalize(text));
  if (exact >= 0) return exact;
  const [place = -1, ...others] = [...texts.keys()].filter((at) => fold(texts[at]) === fold(text));
  return others.length ? -1 : place;
};
