// Why a tree plays its guess: what each criterion of its rule leaves, as `treegen explain` tells it.
import { count } from "./engine.mjs";
import { CRITERIA, TIES, narrow, parseChain } from "./chains.mjs";
import { decimal } from "./ui.mjs";

const MOST_EXPLAINED = 2e7;

const VALUES = {
  max: (best) => `${count(best)} left`,
  power: (best, n, power) => (power === 1 ? `${decimal(Number(best) / n)} left` : `sum ${count(best)}`),
  entropy: (best, n) => `${(Math.log2(n) - best / n / 2 ** 32).toFixed(2)} bits`,
  parts: (best) => `${-best} answers`,
};

const describeStep = ({ name, power, best, kept, of }, n, noun) =>
  `${name === "consistent" ? `${best ? "none" : "those that"} could be the ${noun}` : `${CRITERIA[name][0].replace("_l", `_${power}`)} (${VALUES[name](best, n, power)})`}: ${count(kept)} of ${count(of)} guesses`;

// "" where the rule is none of the page's, or there is too much to compare.
export const explainChoice = (tree, candidates, planned) => {
  const { game } = tree;
  const n = candidates.length;
  if (tree.isProved) return "it is proved optimal, no play needs fewer guesses in all.";
  const chain = parseChain((tree.isComputed ? tree.level : tree.rule) ?? "");
  if (!chain || n < 2 || game.nCodes * n > MOST_EXPLAINED) return "";
  const { steps, ties } = narrow(chain, game, candidates);
  if (!ties.includes(planned)) return "";
  const reasons = steps.map((step) => describeStep(step, n, game.noun)).join("; then ");
  const tied = ties.length > 1 ? `; of these it picks ${chain.tie === "random" ? "one at random" : TIES[chain.tie]}` : "";
  return `${reasons}${tied}.`;
};
