// What a block of values holds: extremes, mean, zeros, NaN and Inf, and how the finite ones are spread.
export interface ValueSummary {
  count: number;
  min: number; // of the finite values; NaN when there is none
  max: number;
  mean: number;
  std: number;
  zeros: number;
  nan: number;
  positiveInf: number;
  negativeInf: number;
}

export function summarize(values: ArrayLike<number>): ValueSummary {
  let zeros = 0;
  let nan = 0;
  let positiveInf = 0;
  let negativeInf = 0;
  let min = Infinity;
  let max = -Infinity;
  let finite = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (Number.isFinite(value)) {
      finite += 1;
      sum += value;
      if (value === 0) zeros += 1;
      if (value < min) min = value;
      if (value > max) max = value;
    } else if (value === Infinity) positiveInf += 1;
    else if (value === -Infinity) negativeInf += 1;
    else nan += 1;
  }
  const mean = finite === 0 ? NaN : sum / finite;
  let squares = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (Number.isFinite(value)) squares += (value - mean) ** 2;
  }
  const std = finite === 0 ? NaN : Math.sqrt(squares / finite);
  if (finite === 0) min = max = NaN;
  return { count: values.length, min, max, mean, std, zeros, nan, positiveInf, negativeInf };
}

export interface ValueBins {
  left: number;
  right: number;
  counts: number[];
}

// Equal bins from the smallest to the largest finite value; whole numbers of a small range get a bin each.
export function binned(values: ArrayLike<number>, summary: ValueSummary, wanted = 48): ValueBins {
  if (!Number.isFinite(summary.min)) return { left: 0, right: 1, counts: [] };
  let left = summary.min;
  let right = summary.max;
  let bins = wanted;
  const span = right - left;
  if (isWhole(values) && span < wanted) {
    left -= 0.5;
    right += 0.5;
    bins = span + 1;
  } else if (span === 0) {
    const margin = Math.abs(left) * 0.5 || 0.5;
    left -= margin;
    right += margin;
    bins = 1;
  }
  const counts = new Array<number>(bins).fill(0);
  // Halves first: the width of a range such as -1e308 to 1e308 is no double.
  const half = right / 2 - left / 2;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (!Number.isFinite(value)) continue;
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(((value / 2 - left / 2) / half) * bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { left, right, counts };
}

function isWhole(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (Number.isFinite(value) && !Number.isInteger(value)) return false;
  }
  return true;
}

// "3 NaN, 1 +Inf", or nothing.
export function specialWords(summary: Pick<ValueSummary, "nan" | "positiveInf" | "negativeInf">): string {
  const parts: string[] = [];
  if (summary.nan > 0) parts.push(`${summary.nan} NaN`);
  if (summary.positiveInf > 0) parts.push(`${summary.positiveInf} +Inf`);
  if (summary.negativeInf > 0) parts.push(`${summary.negativeInf} \u2212Inf`);
  return parts.join(", ");
}
