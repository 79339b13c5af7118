// The settings of a computed rule: what decides first, what next, what decides ties.
import { CRITERIA, MOST_POWER, TIES, parseChain } from "./chains.mjs";
import { make } from "./ui.mjs";

const listCriteria = () => Object.entries(CRITERIA).flatMap(([name, [title]]) => name !== "power" ? [[name, title]]
  : Array.from({ length: MOST_POWER }, (_, at) => [`power:${at + 1}`, at ? `least T_${at + 1}` : "least T_1, expected size"]));

const makeChoice = (id, label, options, chosen, change) => make("div.field", {},
  make("label", { for: id }, label),
  make("select", { id, onchange: change }, ...options.map(([value, text]) =>
    make("option", { value, selected: value === chosen && "selected" }, text))));

// Shows them for a tree that is computed by a chain; choose(chain) is called with another one.
export const showRule = (element, tree, choose) => {
  const chain = tree.isComputed ? parseChain(tree.level) : undefined;
  const focused = document.activeElement?.id;
  element.hidden = !chain;
  if (!chain) return;
  const [first, second = ""] = chain.criteria.map(([name, power]) => (power ? `${name}:${power}` : name));
  const compose = () => choose(["rule-first", "rule-second", "rule-ties"]
    .map((id) => element.querySelector(`#${id}`).value).filter(Boolean).join());
  const criteria = listCriteria();
  element.replaceChildren(
    makeChoice("rule-first", "A guess with the", criteria.slice(0, -1), first, compose),
    makeChoice("rule-second", "then", [["", "nothing else"], ...criteria], second, compose),
    makeChoice("rule-ties", "of equal guesses", Object.entries(TIES), chain.tie, compose));
  if (focused) element.querySelector(`#${focused}`)?.focus();
};
