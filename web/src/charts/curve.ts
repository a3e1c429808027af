// A curve as it is drawn: one series of one run, on the x axis that was chosen.

// How a curve looks: train is thin beside a val curve, val is thick with points, single stands alone.
export type CurveRole = "train" | "val" | "single";

export interface Curve {
  readonly run: string;
  readonly tag: string;
  // The word for the column of this curve in tables: "train", "val", "test", "value".
  readonly phase: string;
  readonly role: CurveRole;
  readonly group: string;
  readonly color: string;
  readonly dash: readonly number[];
  // Ascending in x; y holds NaN and infinities where the training did.
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly step: ArrayLike<number>;
  readonly totalPoints: number;
  readonly totalNonFinite: number;
  readonly replacedPoints: number;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

// Index of the first entry that is >= x; the length where there is none. `sorted` is ascending.
export function lowerBound(sorted: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface PointAt {
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

// The point that a cursor at x shows. Val curves hold their last value until the next one; the others show the nearest
// point. Nothing is shown outside of what was recorded.
export function pointAt(curve: Pick<Curve, "x" | "y" | "role">, x: number): PointAt | null {
  const { x: xs, y: ys } = curve;
  const size = xs.length;
  if (size === 0) return null;
  const after = lowerBound(xs, x);
  const firstX = xs[0] ?? 0;
  const lastX = xs[size - 1] ?? 0;
  const spacing = size > 1 ? (lastX - firstX) / (size - 1) : 0;
  if (x > lastX + Math.max(spacing, curve.role === "val" ? spacing : 0) || x < firstX - (curve.role === "val" ? 0 : spacing)) return null;
  let index = Math.min(after, size - 1);
  if (after < size && (xs[index] ?? 0) !== x && index > 0) {
    const before = x - (xs[index - 1] ?? 0);
    const ahead = (xs[index] ?? 0) - x;
    if (curve.role === "val" || before <= ahead) index -= 1;
  }
  return { index, x: xs[index] ?? NaN, y: ys[index] ?? NaN };
}

export interface Column {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

// Joins the finite points of a series with its NaN and Inf points, so that the line stops where the training broke.
// Points that were not reduced come with their NaN and Inf among them: those count once.
export function joinBadPoints(step: ArrayLike<number>, value: ArrayLike<number>, badStep: ArrayLike<number>, badValue: ArrayLike<number>): Column {
  const x = new Float64Array(step.length + badStep.length);
  const y = new Float64Array(step.length + badStep.length);
  let good = 0;
  let bad = 0;
  let size = 0;
  while (good < step.length || bad < badStep.length) {
    if (good < step.length && !Number.isFinite(value[good])) {
      good += 1;
      continue;
    }
    const takeGood = bad >= badStep.length || (good < step.length && (step[good] ?? 0) <= (badStep[bad] ?? 0));
    x[size] = (takeGood ? step[good] : badStep[bad]) ?? NaN;
    y[size] = (takeGood ? value[good] : badValue[bad]) ?? NaN;
    size += 1;
    if (takeGood) good += 1;
    else bad += 1;
  }
  return { x: x.subarray(0, size), y: y.subarray(0, size) };
}
