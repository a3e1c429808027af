// The value axis of a curve chart: where it begins and ends, and where its labels stand.

// What the name of a tag says about its axis.
export type ValueKind = "loss" | "fraction" | "rate" | "other";

export interface ValueAxis {
  readonly log: boolean;
  readonly min: number;
  readonly max: number;
  // Between labels; on a log axis it counts decades.
  readonly interval: number;
}

export interface AxisWish {
  readonly kind: ValueKind;
  // "auto": log where the values of a rate span decades.
  readonly log: boolean | "auto";
  readonly clip: boolean;
  // Zoomed in on x: the axis follows what is left, even away from 0.
  readonly zoomed?: boolean;
}

const CLIP_QUANTILE = 0.985;
const CLIP_FROM = 4;
const CLIP_FROM_LOG = 100;
const AUTO_LOG_SPAN = 20;
const MOST_SAMPLES = 20_000;
const MOST_INTERVALS = 4;

const FRACTION = /(^|[_/. -])(acc|accuracy|auc|auroc|precision|recall|f1|f1_score|iou|dice|specificity|sensitivity|top_?\d+|hit_?rate|r2)([_/. -]|$)|accuracy/i;
const RATE = /(^|[_/. -])(learning_rate|lr|grad_norm|gradient_norm|update_ratio|global_norm)([_/. -]|$)/i;

export function valueKindOf(tag: string): ValueKind {
  if (/loss|(^|[_/. -])(mse|mae|rmse|nll|perplexity|error)([_/. -]|$)/i.test(tag)) return "loss";
  if (RATE.test(tag)) return "rate";
  return FRACTION.test(tag) ? "fraction" : "other";
}

interface Extent {
  readonly min: number;
  readonly max: number;
  readonly low: number; // the 1.5th percentile
  readonly high: number; // the 98.5th
}

function extentOf(columns: readonly ArrayLike<number>[], accepts: (value: number) => boolean): Extent | null {
  let total = 0;
  for (const column of columns) total += column.length;
  const stride = Math.max(1, Math.ceil(total / MOST_SAMPLES));
  const sample: number[] = [];
  let min = Infinity;
  let max = -Infinity;
  let seen = 0;
  for (const column of columns) {
    for (let i = 0; i < column.length; i += 1) {
      const value = column[i] ?? NaN;
      if (!Number.isFinite(value) || !accepts(value)) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      if (seen % stride === 0) sample.push(value);
      seen += 1;
    }
  }
  if (sample.length === 0) return null;
  const sorted = Float64Array.from(sample).sort();
  const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  return { min, max, low: at(1 - CLIP_QUANTILE), high: at(CLIP_QUANTILE) };
}

export function valueAxisOf(columns: readonly ArrayLike<number>[], wish: AxisWish): ValueAxis {
  if (wish.log !== false) {
    const positive = extentOf(columns, (value) => value > 0);
    const spans = positive !== null && wish.kind === "rate" && positive.max >= AUTO_LOG_SPAN * positive.min;
    if (positive !== null && (wish.log === true || spans)) return logAxis(positive, wish);
    if (wish.log === true) return { log: true, min: 0.1, max: 1, interval: 1 };
  }
  const extent = extentOf(columns, () => true);
  return extent === null ? { log: false, min: 0, max: 1, interval: 0.25 } : linearAxis(extent, wish);
}

function logAxis({ min, max, high }: Extent, wish: AxisWish): ValueAxis {
  const top = wish.clip && max > CLIP_FROM_LOG * high ? high * 3 : max;
  const first = Math.floor(Math.log10(min) + 1e-9);
  const last = Math.ceil(Math.log10(top) - 1e-9);
  const interval = Math.max(1, Math.ceil((last - first) / MOST_INTERVALS));
  return { log: true, min: 10 ** first, max: 10 ** (first + Math.max(1, Math.ceil((last - first) / interval)) * interval), interval };
}

function linearAxis(extent: Extent, wish: AxisWish): ValueAxis {
  const { min, max } = extent;
  if (wish.kind === "fraction" && min >= 0 && max <= 1 && !wish.zoomed) return { log: false, min: 0, max: 1, interval: 0.25 };
  let top = max;
  let bottom = min;
  if (wish.clip && extent.high > 0 && max > CLIP_FROM * extent.high) top = extent.high * 1.08;
  if (wish.clip && extent.low < 0 && min < CLIP_FROM * extent.low) bottom = extent.low * 1.08;
  if (startsAtZero(bottom, top, wish)) bottom = 0;
  if (bottom < 0 && (top <= 0 && (top === bottom || top > bottom / 2))) top = 0;
  return niceAxis(bottom, top === bottom ? bottom + 1 : top);
}

function startsAtZero(bottom: number, top: number, wish: AxisWish): boolean {
  if (bottom < 0) return false;
  if (bottom === top) return true;
  return (wish.kind === "loss" && !wish.zoomed) || bottom < top / 2;
}

function niceAxis(bottom: number, top: number): ValueAxis {
  const span = top - bottom;
  const power = 10 ** Math.floor(Math.log10(span / MOST_INTERVALS));
  for (const factor of [1, 2, 2.5, 5, 10, 20]) {
    const interval = factor * power;
    const first = Math.floor(bottom / interval + 1e-9);
    const last = Math.ceil(top / interval - 1e-9);
    if (last - first <= MOST_INTERVALS) return { log: false, min: rounded(first * interval), max: rounded(last * interval), interval };
  }
  return { log: false, min: bottom, max: top, interval: span / MOST_INTERVALS };
}

// 3 * 0.1 is 0.30000000000000004: an axis ends on 0.3.
const rounded = (value: number): number => Number(value.toPrecision(12));
