// Wave forms: the samples of a WAV file, and the smallest and largest of them in each pixel column.
export interface WaveFile {
  sampleRate: number;
  channels: number;
  bits: number;
  frames: number;
  /** "integers" or "floats". */
  encoding: "integers" | "floats";
  /** From -1 to 1 for integers; floats as they are. */
  sample(frame: number, channel: number): number;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

const fourLetters = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

type Read = (at: number) => number;

function readerOf(view: DataView, format: number, bits: number): Read | null {
  if (format === FLOAT && bits === 32) return (at) => view.getFloat32(at, true);
  if (format === FLOAT && bits === 64) return (at) => view.getFloat64(at, true);
  if (format !== PCM) return null;
  if (bits === 8) return (at) => (view.getUint8(at) - 128) / 128;
  if (bits === 16) return (at) => view.getInt16(at, true) / 2 ** 15;
  if (bits === 24) return (at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 2 ** 16) / 2 ** 23;
  if (bits === 32) return (at) => view.getInt32(at, true) / 2 ** 31;
  return null;
}

// Throws with a sentence when the bytes are no WAV file of PCM or float samples. A file that was cut gives what is there.
export function readWave(bytes: ArrayBuffer): WaveFile {
  const view = new DataView(bytes);
  if (view.byteLength < 12 || fourLetters(view, 0) !== "RIFF" || fourLetters(view, 8) !== "WAVE") throw new Error("The clip is no WAV file.");
  let format = 0;
  let channels = 0;
  let sampleRate = 0;
  let bits = 0;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const name = fourLetters(view, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === "fmt " && body + 16 <= view.byteLength) {
      format = view.getUint16(body, true);
      channels = view.getUint16(body + 2, true);
      sampleRate = view.getUint32(body + 4, true);
      bits = view.getUint16(body + 14, true);
      if (format === EXTENSIBLE && size >= 26 && body + 26 <= view.byteLength) format = view.getUint16(body + 24, true);
    }
    if (name === "data") {
      const read = readerOf(view, format, bits);
      if (read === null || channels === 0) throw new Error(`WAV samples of format ${format} with ${bits} bits cannot be drawn.`);
      const frameBytes = (bits / 8) * channels;
      const frames = Math.floor(Math.min(size, view.byteLength - body) / frameBytes);
      return {
        sampleRate, channels, bits, frames, encoding: format === FLOAT ? "floats" : "integers",
        sample: (frame, channel) => read(body + frame * frameBytes + channel * (bits / 8)),
      };
    }
    // Chunks begin on even bytes.
    at = body + size + (size % 2);
  }
  throw new Error("The WAV file has no samples.");
}

export interface Peaks {
  low: Float32Array;
  high: Float32Array;
}

// The smallest and the largest sample of each of `columns` equal parts: every sample counts.
export function peaksOf(wave: WaveFile, channel: number, columns: number): Peaks {
  const width = Math.max(1, Math.min(columns, wave.frames));
  const low = new Float32Array(width);
  const high = new Float32Array(width);
  for (let column = 0; column < width; column += 1) {
    const from = Math.floor((column * wave.frames) / width);
    const to = Math.max(from + 1, Math.floor(((column + 1) * wave.frames) / width));
    let least = Infinity;
    let most = -Infinity;
    for (let frame = from; frame < to && frame < wave.frames; frame += 1) {
      const value = wave.sample(frame, channel);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    low[column] = least === Infinity ? 0 : least;
    high[column] = most === -Infinity ? 0 : most;
  }
  return { low, high };
}
