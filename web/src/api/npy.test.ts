// .npy files of every dtype, in both byte orders and both orders of axes.
import { describe, expect, it } from "vitest";
import { decodeNpy, halfToNumber } from "./npy";

function npy(descr: string, shape: string, data: ArrayBuffer, fortran = false, version = 1): ArrayBuffer {
  const start = version === 1 ? 10 : 12;
  let header = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${shape}, }`;
  while ((start + header.length + 1) % 64) header += " ";
  header += "\n";
  const bytes = new Uint8Array(start + header.length + data.byteLength);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, header.length, true);
  else view.setUint32(8, header.length, true);
  bytes.set(new TextEncoder().encode(header), start);
  bytes.set(new Uint8Array(data), start + header.length);
  return bytes.buffer;
}

const cases: [string, string, ArrayBufferView, number[]][] = [
  ["|b1", "bool", new Uint8Array([1, 0]), [1, 0]],
  ["|i1", "int8", new Int8Array([-1, 127]), [-1, 127]],
  ["|u1", "uint8", new Uint8Array([0, 255]), [0, 255]],
  ["<i2", "int16", new Int16Array([-300, 300]), [-300, 300]],
  ["<u2", "uint16", new Uint16Array([0, 65535]), [0, 65535]],
  ["<i4", "int32", new Int32Array([-70000, 70000]), [-70000, 70000]],
  ["<u4", "uint32", new Uint32Array([0, 4294967295]), [0, 4294967295]],
  ["<i8", "int64", new BigInt64Array([-5n, 9007199254740991n]), [-5, 9007199254740991]],
  ["<u8", "uint64", new BigUint64Array([5n, 6n]), [5, 6]],
  ["<f2", "float16", new Uint16Array([0x3c00, 0xc500]), [1, -5]],
  ["<f4", "float32", new Float32Array([0.5, NaN]), [0.5, NaN]],
  ["<f8", "float64", new Float64Array([0.1, -Infinity]), [0.1, -Infinity]],
];

describe("decodeNpy", () => {
  it.each(cases)("reads %s as %s", (descr, dtype, data, values) => {
    const array = decodeNpy(npy(descr, "(2,)", data.buffer as ArrayBuffer));
    expect(array.dtype).toBe(dtype);
    expect(array.shape).toEqual([2]);
    expect(Array.from(array.data)).toEqual(values);
    expect(array.rounded).toBe(false);
  });

  it("reads complex values as pairs", () => {
    const array = decodeNpy(npy("<c8", "(1,)", new Float32Array([1, -2]).buffer));
    expect([array.dtype, array.complex, Array.from(array.data)]).toEqual(["complex64", true, [1, -2]]);
    expect(Array.from(decodeNpy(npy("<c16", "(1,)", new Float64Array([3, 4]).buffer)).data)).toEqual([3, 4]);
  });

  it("says when 64-bit integers were rounded", () => {
    expect(decodeNpy(npy("<i8", "(1,)", new BigInt64Array([9007199254740993n]).buffer)).rounded).toBe(true);
  });

  it("reads big-endian files", () => {
    const data = new ArrayBuffer(8);
    new DataView(data).setFloat64(0, 2.5, false);
    expect(Array.from(decodeNpy(npy(">f8", "(1,)", data)).data)).toEqual([2.5]);
  });

  it("turns columns into rows", () => {
    const array = decodeNpy(npy("<i4", "(2, 3)", new Int32Array([1, 4, 2, 5, 3, 6]).buffer, true));
    expect(array.shape).toEqual([2, 3]);
    expect(Array.from(array.data)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("reads single values and empty arrays", () => {
    expect(decodeNpy(npy("<f4", "()", new Float32Array([7]).buffer))).toMatchObject({ shape: [], dtype: "float32" });
    const empty = decodeNpy(npy("<f4", "(0, 3)", new ArrayBuffer(0)));
    expect([empty.shape, empty.data.length]).toEqual([[0, 3], 0]);
  });

  it("reads headers of version 2", () => {
    expect(Array.from(decodeNpy(npy("|u1", "(1,)", new Uint8Array([9]).buffer, false, 2)).data)).toEqual([9]);
  });

  it("takes the true dtype from the server", () => {
    expect(decodeNpy(npy("<f4", "(1,)", new Float32Array([1]).buffer), "bfloat16").dtype).toBe("bfloat16");
  });

  it("refuses what it cannot show", () => {
    expect(() => decodeNpy(npy("|O", "(1,)", new ArrayBuffer(8)))).toThrow(/cannot be shown/);
    expect(() => decodeNpy(npy("<f4", "(3,)", new ArrayBuffer(8)))).toThrow(/cut off/);
    expect(() => decodeNpy(new TextEncoder().encode("not an npy file").buffer)).toThrow(/not an .npy file/);
  });
});

describe("halfToNumber", () => {
  it("knows the special values", () => {
    expect([0x7c00, 0xfc00, 0x8000, 0x0001, 0x7bff].map(halfToNumber)).toEqual([Infinity, -Infinity, -0, 2 ** -24, 65504]);
    expect(halfToNumber(0x7e00)).toBeNaN();
  });
});
