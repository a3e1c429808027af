// Decoder of the columns format (application/vnd.tensortap.columns): a JSON header, then little-endian arrays.
import type { NumberArray } from "./types";

const MAGIC = "TTCOLS1\n";

type ColumnHeader =
  | { type: "f64" | "f32" | "u8" | "i32" | "u32"; offset: number; length: number }
  | { type: "range"; first: number; stride: number; length: number };

export interface Columns<M> {
  meta: M;
  // The same array each time it is asked for; views into the answer's bytes, nothing is copied.
  column(index: number): NumberArray;
}

export function decodeColumns<M>(bytes: ArrayBuffer): Columns<M> {
  const head = new Uint8Array(bytes, 0, Math.min(16, bytes.byteLength));
  if (head.length < 16 || String.fromCharCode(...head.subarray(0, 8)) !== MAGIC) {
    throw new Error("The server's answer is not in the columns format.");
  }
  const headerLength = new DataView(bytes).getUint32(8, true);
  if (16 + headerLength > bytes.byteLength) throw cut();
  const text = new TextDecoder().decode(new Uint8Array(bytes, 16, headerLength));
  const header = JSON.parse(text) as { meta: M; columns: ColumnHeader[] };
  const dataStart = Math.ceil((16 + headerLength) / 8) * 8;
  const decoded: (NumberArray | undefined)[] = [];
  return {
    meta: header.meta,
    column(index) {
      const known = decoded[index];
      if (known) return known;
      const described = header.columns[index];
      if (!described) throw new Error(`The server's answer has no column ${index}.`);
      return (decoded[index] = decodeColumn(bytes, dataStart, described));
    },
  };
}

function decodeColumn(bytes: ArrayBuffer, dataStart: number, column: ColumnHeader): NumberArray {
  if (column.type === "range") {
    const steps = new Float64Array(column.length);
    for (let i = 0; i < column.length; i++) steps[i] = column.first + column.stride * i;
    return steps;
  }
  const start = dataStart + column.offset;
  const width = { f64: 8, f32: 4, u8: 1, i32: 4, u32: 4 }[column.type];
  if (start + column.length * width > bytes.byteLength) throw cut();
  switch (column.type) {
    case "f64":
      return new Float64Array(bytes, start, column.length);
    case "f32":
      return new Float32Array(bytes, start, column.length);
    case "u8":
      return new Uint8Array(bytes, start, column.length);
    case "i32":
      return new Int32Array(bytes, start, column.length);
    case "u32":
      return new Uint32Array(bytes, start, column.length);
  }
}

function cut(): Error {
  return new Error("The server's answer was cut off.");
}
