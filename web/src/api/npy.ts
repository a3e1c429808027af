// Decoder of .npy bytes: any version, any numeric dtype, either order of axes.

export type NpyData =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

export interface NpyArray {
  // The recorded dtype, as numpy names it: "float32", "int64", "bool", "bfloat16" ...
  dtype: string;
  shape: number[];
  // Row after row. float16 is widened to float32; 64-bit integers to float64; complex values lie as pairs (real, imaginary).
  data: NpyData;
  complex: boolean;
  // Some 64-bit integers are beyond 2^53 and were rounded.
  rounded: boolean;
}

const NAMES: Record<string, string> = {
  b1: "bool",
  i1: "int8",
  i2: "int16",
  i4: "int32",
  i8: "int64",
  u1: "uint8",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
  c8: "complex64",
  c16: "complex128",
};

export function decodeNpy(bytes: ArrayBuffer, trueDtype?: string | null): NpyArray {
  const view = new DataView(bytes);
  if (bytes.byteLength < 10 || view.getUint32(0) !== 0x934e554d || view.getUint16(4) !== 0x5059) {
    throw new Error("The server's answer is not an .npy file.");
  }
  const wide = view.getUint8(6) >= 2;
  const headerStart = wide ? 12 : 10;
  const headerLength = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const header = new TextDecoder().decode(new Uint8Array(bytes, headerStart, headerLength));
  const descr = /'descr':\s*'([<>|=]?)([a-zA-Z]\d+)'/.exec(header);
  const shapeText = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  const code = descr?.[2] ?? "";
  const name = NAMES[code];
  if (name === undefined || shapeText === undefined) {
    throw new Error(`An .npy file of this dtype cannot be shown: ${header.trim()}`);
  }
  const shape = shapeText
    .split(",")
    .filter((part) => part.trim() !== "")
    .map(Number);
  const complex = code.startsWith("c");
  const count = shape.reduce((a, b) => a * b, 1);
  const start = headerStart + headerLength;
  const littleEndian = descr?.[1] !== ">";
  const read = readValues(bytes, start, complex ? count * 2 : count, code, littleEndian);
  const rounded = read.rounded;
  let data: NpyData = read.data;
  if (/'fortran_order':\s*True/.test(header) && shape.length > 1) data = toRows(data, shape, complex ? 2 : 1);
  return { dtype: trueDtype || name, shape, data, complex, rounded };
}

function readValues(bytes: ArrayBuffer, start: number, count: number, code: string, little: boolean) {
  const width = code.startsWith("c") ? Number(code.slice(1)) / 2 : Number(code.slice(1));
  if (start + count * width > bytes.byteLength) throw new Error("The .npy file was cut off.");
  // A copy is aligned for every typed array; its bytes are swapped where the file's order is not ours.
  const raw = new Uint8Array(bytes.slice(start, start + count * width));
  if (!little && width > 1) {
    for (let i = 0; i < raw.length; i += width) raw.subarray(i, i + width).reverse();
  }
  const buffer = raw.buffer;
  switch (code) {
    case "b1":
    case "u1":
      return { data: raw, rounded: false };
    case "i1":
      return { data: new Int8Array(buffer), rounded: false };
    case "i2":
      return { data: new Int16Array(buffer), rounded: false };
    case "u2":
      return { data: new Uint16Array(buffer), rounded: false };
    case "i4":
      return { data: new Int32Array(buffer), rounded: false };
    case "u4":
      return { data: new Uint32Array(buffer), rounded: false };
    case "i8":
      return fromBigInts(new BigInt64Array(buffer));
    case "u8":
      return fromBigInts(new BigUint64Array(buffer));
    case "f2":
      return { data: Float32Array.from(new Uint16Array(buffer), halfToNumber), rounded: false };
    case "f4":
    case "c8":
      return { data: new Float32Array(buffer), rounded: false };
    default:
      return { data: new Float64Array(buffer), rounded: false };
  }
}

function fromBigInts(values: BigInt64Array | BigUint64Array): { data: Float64Array; rounded: boolean } {
  const data = new Float64Array(values.length);
  let rounded = false;
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    data[i] = value;
    if (!Number.isSafeInteger(value)) rounded = true;
  }
  return { data, rounded };
}

// IEEE 754 half precision: sign, 5 bits of exponent, 10 of fraction.
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// Column-major values in row-major order; `group` numbers belong to one value.
function toRows(data: NpyData, shape: number[], group: number): NpyData {
  const rows = data.slice();
  const strides: number[] = [];
  let stride = 1;
  for (const extent of shape) {
    strides.push(stride);
    stride *= extent;
  }
  const index = shape.map(() => 0);
  for (let i = 0; i < stride; i++) {
    let from = 0;
    for (let axis = 0; axis < shape.length; axis++) from += (index[axis] ?? 0) * (strides[axis] ?? 0);
    for (let k = 0; k < group; k++) rows[i * group + k] = data[from * group + k] ?? 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1;
      index[axis] = next === shape[axis] ? 0 : next;
      if (next !== shape[axis]) break;
    }
  }
  return rows;
}
