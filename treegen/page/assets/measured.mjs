// Columns of numbers: questions such as "Length (cm) < 2.45", which one number answers together.
const THRESHOLD = /^(.*\S) < ([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;
const UNIT = /\s*[([]([^()[\]]+)[)\]]$/;
const NUMBER = "[+-]?(?:\\d+(?:[.,]\\d*)?|[.,]\\d+)(?:e[+-]?\\d{1,2})?";
const MEASURED = new RegExp(`^(${NUMBER})(?:\\s*[-–]\\s*(${NUMBER}))?$`, "i");

// The columns of a key: the name of each, its unit, the value of each question about it, and which
// responses say that the number is less, and not less.
export const findColumns = (key) => {
  const found = new Map();
  for (const code of key.codes) {
    const [, name, value] = THRESHOLD.exec(key.write(code)) ?? [];
    const labels = name ? key.labels(code) : [];
    if (labels.length !== 2 || !labels.includes("yes") || !labels.includes("no")) continue;
    if (!found.has(name)) {
      const unit = UNIT.exec(name)?.[1] ?? "";
      found.set(name, { name, unit, less: labels.indexOf("yes"), notLess: labels.indexOf("no"), valueOf: new Map() });
    }
    found.get(name).valueOf.set(code, Number(value));
  }
  return [...found.values()];
};

// The answers of a span to all questions about its column; all unknown where the span is null. Only the
// nearest values below and above say something that the others do not.
export const compareAll = ({ valueOf, less, notLess }, span) => {
  const values = [...valueOf.values()];
  const below = span && Math.max(...values.filter((value) => value <= span.low));
  const above = span && Math.min(...values.filter((value) => value > span.high));
  return [...valueOf].map(([code, value]) => {
    const [isLess, isNotLess] = [span && value >= above, span && value <= below];
    const response = isLess ? less : isNotLess ? notLess : null;
    const isImplied = (isLess && value !== above) || (isNotLess && value !== below);
    return { code, response, isOfNumber: true, isImplied: Boolean(isImplied) };
  });
};

// The span of a number or a range, with a point or a comma; what is wrong with it, or what may be.
export const readMeasured = (text, { unit, valueOf }) => {
  const bare = text.replaceAll("−", "-");
  const isUnit = unit && bare.endsWith(unit);
  const match = MEASURED.exec(isUnit ? bare.slice(0, -unit.length).trim() : bare);
  const [low, high] = (match ? [match[1], match[2] ?? match[1]] : []).map((each) => Number(each.replace(",", ".")));
  if (!match || low > high) {
    const given = text ? `“${text}” is not a number` : "No number is given";
    return { problem: `${given}: type one such as 2.4 or 2,4, or choose “I don’t know”.` };
  }
  const values = [...valueOf.values()];
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const isFar = (one, end) => Math.abs(one - end) > Math.max(last - first, Math.abs(end));
  const isOut = (low < first && isFar(low, first)) || (high > last && isFar(high, last));
  const range = first === last ? `is near ${first}` : `lie between ${first} and ${last}`;
  const problem = `${text} is far from the numbers that this key compares, which ${range}. If it is right, answer once more.`;
  return { span: { low, high }, problem: isOut ? problem : "" };
};
