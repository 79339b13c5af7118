// The QR code of a text (ISO/IEC 18004): bytes, correction of level M, up to version 20, which holds 666 bytes. Squares
// are numbers: 1 is dark; what no data may stand on has 2 added.

// Of each version: bytes that correct each block, and how many blocks.
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

const MASKS = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2, (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2,
];

// The field of 256 elements: powers of 2, and their exponents.
const powers = [];
const exponents = [];
for (let at = 0, power = 1; at < 255; at++) {
  powers[at] = power;
  exponents[power] = at;
  power = power << 1 ^ (power > 127 ? 0x11d : 0);
}
const multiply = (a, b) => (a && b ? powers[(exponents[a] + exponents[b]) % 255] : 0);

// The rest of a block divided by the polynomial with the first powers as zeros.
const correct = (block, many) => {
  let divisor = [1];
  for (let at = 0; at < many; at++)
    divisor = [...divisor, 0].map((factor, place) => factor ^ multiply(powers[at], divisor[place - 1] ?? 0));
  const rest = [...block, ...Array(many).fill(0)];
  block.forEach((_, at) => {
    const factor = rest[at];
    divisor.forEach((one, place) => (rest[at + place] ^= multiply(one, factor)));
  });
  return rest.slice(block.length);
};

// A number and its rest by a polynomial of a degree, as bits; the last first.
const protect = (number, polynomial, degree) => {
  let rest = number << degree;
  for (let at = 31 - Math.clz32(rest); at >= degree; at--) if (rest >> at & 1) rest ^= polynomial << at - degree;
  return number << degree | rest;
};

// Squares of a version before any data: finders, timing, alignment, version, room for the format.
const drawPatterns = (version) => {
  const size = 4 * version + 17;
  const squares = Array.from({ length: size }, () => Array(size).fill(0));
  const put = (x, y, isDark) => {
    if (squares[y]?.[x] !== undefined) squares[y][x] = 2 | isDark;
  };
  const ring = (x, y, most, light) => {
    for (let dy = -most; dy <= most; dy++)
      for (let dx = -most; dx <= most; dx++) put(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < 9; at++) for (const [x, y] of [[at, 8], [8, at], [size - at, 8], [8, size - at]]) put(x, y, 0);
  for (let at = 0; at < size; at++) for (const [x, y] of [[at, 6], [6, at]]) put(x, y, at % 2 === 0);
  const many = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const step = Math.ceil((size - 13) / (2 * many - 2)) * 2;
  const centers = Array.from({ length: many }, (_, at) => (at ? size - 7 - (many - 1 - at) * step : 6));
  for (const y of centers) for (const x of centers) if (Math.abs(x - y) < size - 13 && x + y > 12) ring(x, y, 2, [1]);
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) ring(x, y, 4, [2, 4]);
  put(8, size - 8, 1);
  if (version > 6) for (let at = 0, bits = protect(version, 0x1f25, 12); at < 18; at++, bits >>= 1) {
    const [a, b] = [Math.floor(at / 3), size - 11 + at % 3];
    put(a, b, bits & 1);
    put(b, a, bits & 1);
  }
  return squares;
};

// Where data stands, in its order.
const listPlaces = (squares) => {
  const size = squares.length;
  const places = [];
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right--;
    for (let at = 0; at < size; at++) for (const x of [right, right - 1]) {
      const y = isUp ? size - 1 - at : at;
      if (!squares[y][x]) places.push([x, y]);
    }
  }
  return places;
};

// Data and its correction, block by block, interleaved.
const interleave = (data, version, nAll) => {
  const [many, nBlocks] = [CORRECTION[version - 1], BLOCKS[version - 1]];
  const nShort = nBlocks - nAll % nBlocks;
  const short = Math.floor(nAll / nBlocks) - many;
  let from = 0;
  const blocks = Array.from({ length: nBlocks }, (_, at) => data.slice(from, from += short + (at >= nShort)));
  const weave = (rows) => Array.from({ length: short + many }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
  return [...weave(blocks), ...weave(blocks.map((block) => correct(block, many)))];
};

// How hard squares are to read: runs, blocks, what looks like a finder, uneven shares.
const rate = (squares) => {
  const size = squares.length;
  let [bad, nDark] = [0, 0];
  const columns = squares.map((_, x) => squares.map((row) => row[x]));
  for (const line of [...squares, ...columns].map((row) => row.map((one) => one & 1).join(""))) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) bad += run.length - 2;
    bad += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
    nDark += line.replaceAll("0", "").length / 2;
  }
  for (let y = 1; y < size; y++) for (let x = 1; x < size; x++)
    if (((squares[y][x] ^ squares[y - 1][x]) | (squares[y][x] ^ squares[y][x - 1]) | (squares[y][x] ^ squares[y - 1][x - 1])) % 2 === 0) bad += 3;
  return bad + 10 * Math.floor(Math.abs(20 * nDark / size ** 2 - 10));
};

// Rows of squares, dark where odd; undefined for a text that is too long.
export const encodeQr = (text) => {
  const bytes = [...new TextEncoder().encode(text)];
  for (let version = 1; version <= BLOCKS.length; version++) {
    const patterns = drawPatterns(version);
    const places = listPlaces(patterns);
    const nAll = places.length >> 3;
    const nData = nAll - CORRECTION[version - 1] * BLOCKS[version - 1];
    const digits = version > 9 ? 4 : 2;
    if (bytes.length + digits / 2 + .5 > nData) continue;
    const write = (number, many = 2) => number.toString(16).padStart(many, "0");
    const data = `4${write(bytes.length, digits)}${bytes.map((one) => write(one)).join("")}0`.match(/../g).map((pair) => parseInt(pair, 16));
    for (let at = 0; data.length < nData; at++) data.push(at % 2 ? 17 : 236);
    const whole = interleave(data, version, nAll);
    const drawn = MASKS.map((isFlipped, mask) => {
      const squares = patterns.map((row) => [...row]);
      const size = squares.length;
      places.forEach(([x, y], at) => (squares[y][x] = (whole[at >> 3] >> 7 - at % 8 & 1) ^ !isFlipped(x, y)));
      for (let at = 0, bits = protect(mask, 0x537, 10) ^ 0x5412; at < 15; at++, bits >>= 1) {
        squares[at < 6 ? at : at < 8 ? at + 1 : size - 15 + at][8] = bits & 1;
        squares[8][at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at] = bits & 1;
      }
      return squares;
    });
    const bad = drawn.map(rate);
    return drawn[bad.indexOf(Math.min(...bad))];
  }
  return undefined;
};

// The page's script finds it so, where there is one.
globalThis.encodeQr = encodeQr;
