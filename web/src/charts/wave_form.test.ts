// Samples of WAV files.
import { expect, test } from "vitest";
import { peaksOf, readWave } from "./wave_form";

interface Sound { format?: number; channels?: number; rate?: number; bits: number; data: Uint8Array; before?: Uint8Array }

function wav({ format = 1, channels = 1, rate = 8000, bits, data, before = new Uint8Array() }: Sound): ArrayBuffer {
  const bytes = new Uint8Array(12 + 24 + before.length + 8 + data.length);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => [...text].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  word(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, format, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint16(32, (bits / 8) * channels, true);
  view.setUint16(34, bits, true);
  bytes.set(before, 36);
  word(36 + before.length, "data");
  view.setUint32(40 + before.length, data.length, true);
  bytes.set(data, 44 + before.length);
  return bytes.buffer;
}
const bytesOf = (array: { buffer: ArrayBufferLike }) => new Uint8Array(array.buffer as ArrayBuffer);

test("16-bit samples of two channels", () => {
  const wave = readWave(wav({ channels: 2, rate: 16000, bits: 16, data: bytesOf(Int16Array.of(0, 16384, -32768, 32767)) }));
  expect([wave.sampleRate, wave.channels, wave.frames, wave.bits]).toEqual([16000, 2, 2, 16]);
  expect([wave.sample(0, 1), wave.sample(1, 0)]).toEqual([0.5, -1]);
});

test("8, 24 and 32 bits, and floats", () => {
  expect(readWave(wav({ bits: 8, data: Uint8Array.of(128, 0) })).sample(1, 0)).toBe(-1);
  expect(readWave(wav({ bits: 24, data: Uint8Array.of(0, 0, 0x40, 0, 0, 0xc0) })).sample(0, 0)).toBe(0.5);
  expect(readWave(wav({ bits: 24, data: Uint8Array.of(0, 0, 0x40, 0, 0, 0xc0) })).sample(1, 0)).toBe(-0.5);
  expect(readWave(wav({ bits: 32, data: bytesOf(Int32Array.of(2 ** 30)) })).sample(0, 0)).toBe(0.5);
  expect(readWave(wav({ format: 3, bits: 32, data: bytesOf(Float32Array.of(1.5)) })).sample(0, 0)).toBe(1.5);
});

test("chunks of other names are passed over, odd ones with their padding", () => {
  const list = Uint8Array.of(76, 73, 83, 84, 3, 0, 0, 0, 1, 2, 3, 0);
  expect(readWave(wav({ bits: 8, data: Uint8Array.of(255), before: list })).frames).toBe(1);
});

test("a cut file gives the frames that are there", () => {
  const whole = wav({ bits: 16, data: bytesOf(Int16Array.of(1, 2, 3)) });
  expect(readWave(whole.slice(0, whole.byteLength - 3)).frames).toBe(1);
});

test("what is no WAV file is said to be none", () => {
  expect(() => readWave(new ArrayBuffer(4))).toThrow("no WAV file");
  expect(() => readWave(wav({ format: 85, bits: 16, data: new Uint8Array(4) }))).toThrow("format 85");
});

test("peaks keep every spike", () => {
  const samples = new Int16Array(1000);
  samples[501] = 32767;
  samples[502] = -32768;
  const { low, high } = peaksOf(readWave(wav({ bits: 16, data: bytesOf(samples) })), 0, 10);
  expect(low).toHaveLength(10);
  expect(high[5]).toBeCloseTo(1);
  expect(low[5]).toBe(-1);
  expect(high[4]).toBe(0);
});

test("fewer samples than columns give a column each", () => {
  expect(peaksOf(readWave(wav({ bits: 8, data: Uint8Array.of(0, 128, 255) })), 0, 100).low).toHaveLength(3);
});
