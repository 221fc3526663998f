// Blocks of data: base64 → deflate (RFC 1951) → JSON. The large block, of the table of pairs, is inflated by the browser
// where it can (DecompressionStream); the small ones, of graphs, here, which takes a few milliseconds and needs no waiting.

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193,
  12289, 16385, 24577,
];
const DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;

// A Huffman code: a table from the next LONGEST_CODE bits to (symbol << 4 | length of its code).
function huffman(lengths) {
  const count = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) count[length] += 1;
  count[0] = 0;
  const next = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length += 1) next[length + 1] = (next[length] + count[length]) << 1;
  const table = new Uint32Array(1 << LONGEST_CODE);
  lengths.forEach((length, symbol) => {
    if (!length) return;
    let code = next[length];
    next[length] += 1;
    let reversed = 0;
    for (let bit = 0; bit < length; bit += 1) {
      reversed = (reversed << 1) | (code & 1);
      code >>= 1;
    }
    for (let k = reversed; k < table.length; k += 1 << length) table[k] = (symbol << 4) | length;
  });
  return table;
}

const range = (count, value) => new Array(count).fill(value);
let fixedCodes = null;

function inflate(input) {
  let output = new Uint8Array(Math.max(1024, input.length * 6));
  let size = 0;
  let place = 0;
  let hold = 0;
  let held = 0;

  function need(count) {
    while (held < count) {
      if (place > input.length + 4) throw new Error("the data of this page end too early");
      hold |= (input[place] || 0) << held; // at most 15 + 8 bits are held
      place += 1;
      held += 8;
    }
  }
  function bits(count) {
    need(count);
    const value = hold & ((1 << count) - 1);
    hold >>>= count;
    held -= count;
    return value;
  }
  function symbol(table) {
    need(LONGEST_CODE);
    const entry = table[hold & ((1 << LONGEST_CODE) - 1)];
    const length = entry & 15;
    if (!length) throw new Error("the data of this page are damaged");
    hold >>>= length;
    held -= length;
    return entry >>> 4;
  }
  function room(count) {
    if (size + count <= output.length) return;
    const larger = new Uint8Array(Math.max(output.length * 2, size + count));
    larger.set(output);
    output = larger;
  }

  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      // stored: what is held of whole bytes goes back
      bits(held & 7);
      place -= held >> 3;
      hold = held = 0;
      const count = input[place] | (input[place + 1] << 8);
      place += 4;
      room(count);
      output.set(input.subarray(place, place + count), size);
      size += count;
      place += count;
      continue;
    }
    let codes;
    if (kind === 1) {
      fixedCodes = fixedCodes || [
        huffman([...range(144, 8), ...range(112, 9), ...range(24, 7), ...range(8, 8)]),
        huffman(range(30, 5)),
      ];
      codes = fixedCodes;
    } else if (kind === 2) {
      const literals = bits(5) + 257;
      const distances = bits(5) + 1;
      const lengths = range(19, 0);
      for (let k = 0, count = bits(4) + 4; k < count; k += 1) lengths[CODE_LENGTH_ORDER[k]] = bits(3);
      const table = huffman(lengths);
      const all = [];
      while (all.length < literals + distances) {
        const found = symbol(table);
        if (found < 16) all.push(found);
        else if (found === 16) all.push(...range(3 + bits(2), all[all.length - 1]));
        else all.push(...range(found === 17 ? 3 + bits(3) : 11 + bits(7), 0));
      }
      codes = [huffman(all.slice(0, literals)), huffman(all.slice(literals))];
    } else {
      throw new Error("the data of this page are damaged");
    }
    for (;;) {
      const found = symbol(codes[0]);
      if (found < 256) {
        room(1);
        output[size] = found;
        size += 1;
      } else if (found === 256) {
        break;
      } else {
        const length = LENGTH_BASE[found - 257] + bits(LENGTH_EXTRA[found - 257]);
        const far = symbol(codes[1]);
        const distance = DISTANCE_BASE[far] + bits(DISTANCE_EXTRA[far]);
        room(length);
        for (let k = 0; k < length; k += 1, size += 1) output[size] = output[size - distance];
      }
    }
  }
  return output.subarray(0, size);
}

function bytesOf(name) {
  const letters = atob(document.getElementById(name).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k += 1) bytes[k] = letters.charCodeAt(k);
  return bytes;
}

// The value that stands in the data block of this name.
const unpacked = (name) => JSON.parse(new TextDecoder().decode(inflate(bytesOf(name))));

// The same, by the browser if it knows this format; a promise.
async function unpackedByBrowser(name) {
  let stream = null;
  try {
    stream = new DecompressionStream("deflate-raw");
  } catch {
    return unpacked(name);
  }
  return new Response(new Blob([bytesOf(name)]).stream().pipeThrough(stream)).json();
}
