// Walk a .tgt table of the profile `full`: one ES module for browsers, workers and node, no
// dependency. docs/notes/table-format.md specifies the format.
//
//     const table = openTable(bytes);          // throws an Error where a single byte is damaged
//     let state = START;                       // keep a state to take an answer back
//     table.guess(state)                       // index of the code to play
//     state = table.answer(state, response)    // null when won, undefined where no secret fits that answer
//
// tgt_game.mjs, beside it, makes a game of this: colors, words, black and white pegs, undo. It also
// plays tables of the profiles `lean` and `slim`, which openTable(bytes, true) opens; of `slim`, which
// has no responses, answer() takes the place among the state's children.

export const START = [0, 0];

// Kinds of tags: 0 number, 1 bytes, 2 text, 3 list, 4 map.
const KINDS = "000000004322----111-----0000---------2223344";

const demand = (isTrue, reason) => {
  if (!isTrue) throw Error("bad table: " + reason);
};

export const openTable = (data, takesAll) => {
  const bytes = new Uint8Array(data);
  let at = 0;
  let crc = -1;

  const number = (size, value = 0) => {
    while (size--) value = value * 256 + bytes[at++];
    return value;
  };

  const read = (depth) => {
    const tag = number(1);
    const kind = +KINDS[tag < 192 ? tag >> 4 : tag - 180];
    let size = tag % (kind > 2 ? 16 : kind ? 32 : 128);
    if (tag > 191) size = number(kind > 2 ? 2 << tag % 2 : 1 << (tag - (kind > 1)) % 4);
    demand(kind >= 0 && depth < 3, at);
    if (!kind) return size;
    if (kind > 2) {
      const list = [];
      for (size *= kind - 2; size--;) list.push(read(depth + 1));
      return list;
    }
    const part = bytes.subarray(at, (at += size));
    return kind > 1 ? new TextDecoder().decode(part) : part;
  };

  const section = (part, count, highest) => {
    const width = 32 - Math.clz32(highest);
    const size = count * width;
    const isWhole = part.buffer && part.length == Math.ceil(size / 8);
    demand(isWhole && !(part.at(-1) & ((1 << (-size & 7)) - 1)), "section");
    return (place) => {
      let value = 0;
      for (let bit = place * width, left = width; left--; bit++)
        value = value * 2 + ((part[bit >> 3] >> (~bit & 7)) & 1);
      return value;
    };
  };

  const values = read(0);
  const [magic, minor, profile, game, start, meta, nCodes, nResponses, nNodes, implicit] = values;
  const win = nResponses - 1;
  const nBits = 2 * nNodes - 1;
  for (const byte of bytes.subarray(0, -5))
    for (let bit = ((crc ^= byte), 8); bit--;) crc = (crc >>> 1) ^ (crc & 1 && 0xedb88320);
  demand(at == bytes.length && bytes.at(-5) == 206 && values.pop() == ~crc >>> 0, "CRC");
  const isSlim = profile == "slim";
  const isLean = takesAll && (isSlim || profile == "lean") && (implicit === 1 || implicit === 2);
  const isKnown = magic == "TGT1" && bytes[1] == 164 && (profile == "full" ? implicit === 0 : isLean);
  const isCount = (x) => x > 0 && x < 2 ** 31 && !x.at;
  const isLong = minor > 0 ? !minor.at : minor === 0 && values.length == 13 - isSlim;
  const isSmall = at < 2 ** 28; // so that places of bits have 31 bits
  const areLists = values.slice(3, 6).every((x) => x.pop); // bytes and text have no pop
  demand(isKnown && isLong && isSmall && areLists && values.slice(6, 9).every(isCount), "header");

  const guess = section(values[10], nNodes, nCodes - 1);
  const response = isSlim ? (_, place) => place : section(values[11], nNodes - 1, win - 1);
  const shape = section(values[12 - isSlim], nBits, 1);
  for (let bit = 0, ones = 0, last = -1; bit < nBits; bit++)
    if (shape(bit)) {
      const previous = last;
      last = response(ones++, last + 1);
      demand(ones < nNodes && last < win && last > previous, "tree");
    } else {
      last = -1;
      demand(guess(bit - ones) < nCodes && (bit < 2 * ones || bit > nBits - 2), "tree");
    }

  return {
    isSlim,
    game,
    start,
    meta,
    nCodes,
    nResponses,
    nNodes,
    implicit,
    guess: ([node]) => guess(node),
    answer([node, bit], index) {
      const first = bit - node;
      if (index == win) return null;
      for (let place = 0; shape(bit + place); place++)
        if (response(first + place, place) == index) {
          while (node <= first + place) node += !shape(bit++);
          return [node, bit];
        }
    },
  };
};
