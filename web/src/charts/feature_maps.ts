// Feature maps: a tensor of channels as one small picture each, all on one scale.

// Which axis of [height, width, channels] or [channels, height, width] counts the pictures.
export type ChannelAxis = "first" | "last";

export interface FeatureMap {
  /** The number of the channel in the whole tensor. */
  channel: number;
  /** Every value is exactly 0. */
  zero: boolean;
  at(row: number, column: number): number;
}

export interface FeatureMapSet {
  rows: number;
  columns: number;
  maps: FeatureMap[];
  /** Of the finite values of all maps; NaN when there is none. */
  min: number;
  max: number;
  zeroMaps: number;
  nan: number;
  inf: number;
}

// `values` is row-major with the three sizes of `shape`. `firstChannel` counts on from a slice.
export function featureMaps(values: ArrayLike<number>, shape: readonly number[], axis: ChannelAxis = "last", firstChannel = 0): FeatureMapSet {
  const [a = 0, b = 0, c = 0] = shape;
  const [rows, columns, channels] = axis === "last" ? [a, b, c] : [b, c, a];
  const [rowStride, columnStride, channelStride] = axis === "last" ? [b * c, c, 1] : [c, 1, b * c];
  const set: FeatureMapSet = { rows, columns, maps: [], min: Infinity, max: -Infinity, zeroMaps: 0, nan: 0, inf: 0 };
  for (let channel = 0; channel < channels; channel += 1) {
    const start = channel * channelStride;
    let zero = rows * columns > 0;
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const value = values[start + row * rowStride + column * columnStride] as number;
        if (value !== 0) zero = false;
        if (Number.isNaN(value)) set.nan += 1;
        else if (!Number.isFinite(value)) set.inf += 1;
        else {
          if (value < set.min) set.min = value;
          if (value > set.max) set.max = value;
        }
      }
    }
    if (zero) set.zeroMaps += 1;
    const at = (row: number, column: number) => (values[start + row * rowStride + column * columnStride] ?? NaN) as number;
    set.maps.push({ channel: firstChannel + channel, zero, at });
  }
  if (set.min > set.max) set.min = set.max = NaN;
  return set;
}

// A one-dimensional picture (a sequence's channel) is bent into none: it stays a strip. Long sides are shown whole; the
// page asks for every n-th row and column so that no picture is larger than this.
export const LARGEST_MAP_SIDE = 256;
// So many maps at first; more on demand.
export const MAPS_AT_FIRST = 64;

export interface MapQuestion {
  slice: string;
  /** Of what the slice gives. */
  axis: ChannelAxis;
  channels: number;
  shown: number;
  /** Every n-th row and column. */
  stride: number;
  samples: number;
  /** What a tile is called. */
  word: string;
}

// What to ask of a whole tensor so that no more is fetched than is shown; null when it is no picture.
// Rank 4 is [sample, height, width, channel] (or channel second); rank 3 is a picture of each sample.
export function mapQuestion(shape: readonly number[], sample: number, axis: ChannelAxis, wanted: number): MapQuestion | null {
  if (shape.some((size) => size === 0)) return null;
  const every = (size: number) => Math.max(1, Math.ceil(size / LARGEST_MAP_SIDE));
  if (shape.length === 4) {
    const [samples = 0, a = 0, b = 0, c = 0] = shape;
    const [rows, columns, channels] = axis === "last" ? [a, b, c] : [b, c, a];
    const at = Math.max(0, Math.min(samples - 1, sample));
    const stride = Math.max(every(rows), every(columns));
    const shown = Math.min(channels, wanted);
    const whole = shown === channels ? ":" : `0:${shown}`;
    const side = stride === 1 ? ":" : `::${stride}`;
    const slice = axis === "last" ? `${at},${side},${side},${whole}` : `${at},${whole},${side},${side}`;
    return { slice, axis, channels, shown, stride, samples, word: "ch" };
  }
  if (shape.length === 3) {
    const [channels = 0, rows = 0, columns = 0] = shape;
    const stride = Math.max(every(rows), every(columns));
    const shown = Math.min(channels, wanted);
    const side = stride === 1 ? ":" : `::${stride}`;
    return { slice: `${shown === channels ? ":" : `0:${shown}`},${side},${side}`, axis: "first", channels, shown, stride, samples: 1, word: "sample" };
  }
  return null;
}
