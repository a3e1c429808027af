// The numbers behind pictures of distributions: buckets on a value axis, exact zeros apart, ranges that one wild step does not ruin.
import { mapping, type Mapping } from "./scales";

/** Histograms of one tag of one run over steps. Columns that the files do not have hold NaN. */
export interface Histograms {
  readonly run: string;
  readonly tag: string;
  readonly totalSteps: number;
  readonly step: ArrayLike<number>;
  readonly zeros: ArrayLike<number>;
  readonly nan: ArrayLike<number>;
  readonly positiveInf: ArrayLike<number>;
  readonly negativeInf: ArrayLike<number>;
  readonly total: ArrayLike<number>;
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
  readonly p5: ArrayLike<number>;
  readonly p25: ArrayLike<number>;
  readonly p50: ArrayLike<number>;
  readonly p75: ArrayLike<number>;
  readonly p95: ArrayLike<number>;
  /** Buckets of step i: offset[i] up to offset[i + 1] of left, right and count. */
  readonly offset: ArrayLike<number>;
  readonly left: ArrayLike<number>;
  readonly right: ArrayLike<number>;
  readonly count: ArrayLike<number>;
}

const orZero = (n: number | undefined): number => (n !== undefined && n > 0 ? n : 0);

/** How many values a step has that no axis can show, and how many are exactly 0. */
export function oddities(from: Histograms, i: number): { total: number; zeros: number; nan: number; inf: number; bad: number } {
  const nan = orZero(from.nan[i]);
  const inf = orZero(from.positiveInf[i]) + orZero(from.negativeInf[i]);
  return { total: orZero(from.total[i]), zeros: orZero(from.zeros[i]), nan, inf, bad: nan + inf };
}

/** Whether more than half of a step's values are NaN or infinite: it is hatched instead of drawn. */
export function isSpoilt(from: Histograms, i: number): boolean {
  const { total, bad } = oddities(from, i);
  return bad > 0 && bad > total / 2;
}

/** Share of exact zeros; NaN when the files do not say. */
export function zeroShare(from: Histograms, i: number): number {
  const { total, zeros } = oddities(from, i);
  return Number.isNaN(from.zeros[i] ?? Number.NaN) || total === 0 ? Number.NaN : zeros / total;
}

// The bucket that holds the exact zeros.
function zeroBucket(from: Histograms, first: number, end: number): number {
  let touching = -1;
  for (let b = first; b < end; b++) {
    const left = from.left[b] ?? 0;
    const right = from.right[b] ?? 0;
    if (left <= 0 && right > 0) return b;
    if (left <= 0 && right >= 0) touching = b;
  }
  return touching;
}

export interface Bins {
  /** Values per bin, spread evenly over the bins that a bucket covers. */
  readonly counts: Float64Array;
  /** Values below and above the axis. */
  readonly below: number;
  readonly above: number;
}

/** The buckets of a step on an axis of equal bins, exact zeros left out. */
export function rebin(from: Histograms, i: number, axis: Mapping, bins: number): Bins {
  const counts = new Float64Array(bins);
  let below = 0;
  let above = 0;
  const first = from.offset[i] ?? 0;
  const end = from.offset[i + 1] ?? first;
  const zeroAt = zeroBucket(from, first, end);
  let zeros = oddities(from, i).zeros;
  for (let b = first; b < end; b++) {
    let amount = from.count[b] ?? 0;
    if (b === zeroAt) {
      const taken = Math.min(zeros, amount);
      zeros -= taken;
      amount -= taken;
    }
    if (!(amount > 0)) continue;
    const left = axis.place(from.left[b] ?? 0) * bins;
    const right = axis.place(from.right[b] ?? 0) * bins;
    if (!(right > left)) {
      if (left < 0) below += amount;
      else if (left > bins) above += amount;
      else add(counts, Math.min(bins - 1, Math.floor(left)), amount);
      continue;
    }
    const density = amount / (right - left);
    if (left < 0) below += (Math.min(0, right) - left) * density;
    if (right > bins) above += (right - Math.max(bins, left)) * density;
    const stop = Math.min(bins, right);
    for (let bin = Math.max(0, Math.floor(left)); bin < stop; bin++) {
      add(counts, bin, (Math.min(bin + 1, stop) - Math.max(bin, left)) * density);
    }
  }
  return { counts, below, above };
}

function add(counts: Float64Array, bin: number, amount: number): void {
  counts[bin] = (counts[bin] ?? 0) + amount;
}

// How far beyond the usual the largest value may lie before it is cut, and what is shown then.
const farBeyond = 3;
const exploded = 30;
const shownBeyond = 1.3;

/** The largest value, unless it is far beyond what is usual: then somewhat more than the usual. */
function usualTop(values: number[], usually: number, far = farBeyond): number {
  const sorted = values.filter((v) => Number.isFinite(v)).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const usual = sorted[Math.floor(usually * (sorted.length - 1))] ?? 0;
  const largest = sorted.at(-1) ?? 0;
  return usual > 0 && largest > usual * far ? usual * shownBeyond : largest;
}

export interface Range {
  readonly lo: number;
  readonly hi: number;
}

/** Ends of the value axis for these runs together: everything usual is in, and 0 where it is near. */
export function valueRange(all: readonly Histograms[], from = -Infinity, to = Infinity): Range {
  const highs: number[] = [];
  const lows: number[] = [];
  for (const one of all) {
    const up: number[] = [];
    const down: number[] = [];
    for (let i = 0; i < one.step.length; i++) {
      const step = one.step[i] ?? 0;
      if (step < from || step > to || isSpoilt(one, i)) continue;
      up.push(one.max[i] ?? Number.NaN);
      down.push(-(one.min[i] ?? Number.NaN));
    }
    highs.push(usualTop(up, 0.9));
    lows.push(usualTop(down, 0.9));
  }
  // One run in four may be wild; of two, nobody knows which is the usual one, unless it explodes.
  const far = all.length > 2 ? farBeyond : exploded;
  let hi = usualTop(highs, 0.75, far);
  let lo = -usualTop(lows, 0.75, far);
  if (!Number.isFinite(hi) || !Number.isFinite(lo)) return { lo: 0, hi: 1 };
  if (lo > 0 && lo < hi * 0.5) lo = 0;
  if (hi < 0 && hi > lo * 0.5) hi = 0;
  // Nearly symmetric: symmetric, so that the eye can compare the sides.
  if (lo < 0 && hi > 0 && -lo < hi * 3 && hi < -lo * 3) {
    hi = Math.max(-lo, hi);
    lo = -hi;
  }
  if (hi > lo) return { lo, hi };
  const around = Math.abs(hi) * 0.1 || 1;
  return { lo: lo - around, hi: hi + around };
}

export type ValueAxis = "linear" | "symlog";

/** The value axis; symlog bends where the middle half of the values usually ends. */
export function valueAxis(kind: ValueAxis, range: Range, all: readonly Histograms[]): Mapping {
  if (kind === "linear") return mapping({ kind, ...range });
  const widths: number[] = [];
  for (const one of all) {
    for (let i = 0; i < one.step.length; i++) {
      const width = Math.max(Math.abs(one.p25[i] ?? 0), Math.abs(one.p75[i] ?? 0));
      if (Number.isFinite(width) && width > 0) widths.push(width);
    }
  }
  widths.sort((a, b) => a - b);
  const size = Math.max(Math.abs(range.lo), Math.abs(range.hi)) || 1;
  const usual = widths[widths.length >> 1] ?? size / 100;
  return mapping({ kind, ...range, threshold: Math.min(size / 3, Math.max(size / 1e5, usual)) });
}

/** The usual distance between two steps. */
export function usualStride(steps: ArrayLike<number>): number {
  const strides: number[] = [];
  for (let i = 1; i < steps.length; i++) strides.push((steps[i] ?? 0) - (steps[i - 1] ?? 0));
  const positive = strides.filter((s) => s > 0).sort((a, b) => a - b);
  return positive[positive.length >> 1] ?? 1;
}

/** Where each step's column ends: at the next step, or after the usual distance where steps are missing. */
export function columnEnds({ step: steps, totalSteps }: Pick<Histograms, "step" | "totalSteps">): Float64Array {
  const usual = usualStride(steps);
  // An even choice out of more steps doubles some distances: that is no gap.
  const gap = usual * (totalSteps > steps.length ? 2.5 : 1.5);
  return Float64Array.from({ length: steps.length }, (_, i) => {
    const step = steps[i] ?? 0;
    const next = steps[i + 1];
    return next !== undefined && next - step <= gap ? Math.max(next, step) : step + usual;
  });
}

/** Every n-th index so that no more than `most` are left, the last one always among them. */
export function thin(length: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(length / Math.max(1, most)));
  const picked: number[] = [];
  for (let i = (length - 1) % every; i < length; i += every) picked.push(i);
  return picked;
}

/** Index of the step next to this one; -1 when there are none. */
export function nearest(steps: ArrayLike<number>, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle] ?? Infinity) < step) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return steps.length > 0 ? 0 : -1;
  if (low === steps.length) return low - 1;
  return step - (steps[low - 1] ?? 0) <= (steps[low] ?? 0) - step ? low - 1 : low;
}

/** How many values lie in a stretch of the axis at a step, exact zeros left out. */
export function countWithin(from: Histograms, i: number, lo: number, hi: number): number {
  return rebin(from, i, mapping({ kind: "linear", lo, hi }), 1).counts[0] ?? 0;
}
