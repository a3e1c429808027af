// The columns format, byte by byte.
import { describe, expect, it } from "vitest";
import { decodeColumns } from "./columns";

// Bytes as the server writes them: magic, length, zero, header padded with spaces, data.
function answer(header: unknown, data: ArrayBuffer): ArrayBuffer {
  let text = JSON.stringify(header);
  while (new TextEncoder().encode(text).length % 8) text += " ";
  const json = new TextEncoder().encode(text);
  const bytes = new Uint8Array(16 + json.length + data.byteLength);
  bytes.set(new TextEncoder().encode("TTCOLS1\n"));
  new DataView(bytes.buffer).setUint32(8, json.length, true);
  bytes.set(json, 16);
  bytes.set(new Uint8Array(data), 16 + json.length);
  return bytes.buffer;
}

function sample(): ArrayBuffer {
  const data = new ArrayBuffer(48);
  new Float64Array(data, 0, 2).set([1.5, NaN]);
  new Float32Array(data, 16, 3).set([0.5, -2, Infinity]);
  new Uint8Array(data, 32, 3).set([0, 1, 255]);
  new Int32Array(data, 40, 1).set([-7]);
  new Uint32Array(data, 44, 1).set([4_000_000_000]);
  return answer(
    {
      meta: { name: "Überlauf" },
      columns: [
        { type: "f64", offset: 0, length: 2 },
        { type: "f32", offset: 16, length: 3 },
        { type: "u8", offset: 32, length: 3 },
        { type: "i32", offset: 40, length: 1 },
        { type: "u32", offset: 44, length: 1 },
        { type: "range", first: 5, stride: 10, length: 4 },
      ],
    },
    data,
  );
}

describe("decodeColumns", () => {
  it("gives each type its array, and ranges their steps", () => {
    const columns = decodeColumns<{ name: string }>(sample());
    expect(columns.meta.name).toBe("Überlauf");
    expect(columns.column(0)).toEqual(new Float64Array([1.5, NaN]));
    expect(columns.column(1)).toEqual(new Float32Array([0.5, -2, Infinity]));
    expect(columns.column(2)).toEqual(new Uint8Array([0, 1, 255]));
    expect(columns.column(3)).toEqual(new Int32Array([-7]));
    expect(columns.column(4)).toEqual(new Uint32Array([4_000_000_000]));
    expect(columns.column(5)).toEqual(new Float64Array([5, 15, 25, 35]));
  });

  it("gives the same array for the same number", () => {
    const columns = decodeColumns(sample());
    expect(columns.column(5)).toBe(columns.column(5));
  });

  it("refuses other bytes", () => {
    expect(() => decodeColumns(new TextEncoder().encode("{}").buffer)).toThrow(/not in the columns format/);
    expect(() => decodeColumns(new TextEncoder().encode('{"error": "something longer"}').buffer)).toThrow(/columns format/);
  });

  it("says that an answer was cut off, wherever that was", () => {
    const whole = sample();
    for (let length = 16; length < whole.byteLength; length++) {
      expect(() => {
        const columns = decodeColumns(whole.slice(0, length));
        for (let i = 0; i < 5; i++) columns.column(i);
      }, `${length} bytes`).toThrow(/cut off/);
    }
  });

  it("names a column that is not there", () => {
    expect(() => decodeColumns(sample()).column(6)).toThrow(/no column 6/);
  });
});
