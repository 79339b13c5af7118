// Of two pages that hold a term, the one for users comes first: then the reference, then the notes for developers.
const LATER = { reference: 2, notes: 3 };
var Scorer = {
  score: ([page, , , , score, , kind]) => score - (kind === "object" ? 0 : LATER[page.split("/")[0]] ?? 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
