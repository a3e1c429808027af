// Curves out of what the server sends: NaN put back in their place, and x as step, epoch or time.
import { joinBadPoints, lowerBound, type Curve, type Range } from "./curve";
import type { TagUse } from "./tag_cards";
import type { XKind } from "./x_axis";

export interface SentSeries {
  readonly run: string;
  readonly tag: string;
  readonly step: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  readonly wallTime?: ArrayLike<number>;
  readonly badStep: ArrayLike<number>;
  readonly badValue: ArrayLike<number>;
  readonly totalPoints: number;
  readonly totalNonFinite: number;
  readonly replacedPoints: number;
}

// At which step each epoch of a run began.
export interface Epochs {
  readonly step: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

export interface CurveLook {
  readonly colorOf: (run: string) => string;
  readonly dashOf: (run: string) => readonly number[];
  readonly groupOf: (run: string) => string;
}

export interface XChoice {
  readonly kind: XKind;
  readonly epochsOf: (run: string) => Epochs | undefined;
  // When the run began; relative time counts from there.
  readonly startOf: (run: string) => number | undefined;
}

// The epoch at a step, with the part of it that has passed; the last epoch is taken to be as long as the one before.
export function epochAt(epochs: Epochs, step: number): number {
  const size = epochs.step.length;
  if (size === 0) return NaN;
  if (size === 1) return (epochs.value[0] ?? 0) + (step > (epochs.step[0] ?? 0) ? NaN : 0);
  const after = Math.min(size - 1, Math.max(1, lowerBound(epochs.step, step)));
  const step0 = epochs.step[after - 1] ?? 0;
  const step1 = epochs.step[after] ?? 0;
  const value0 = epochs.value[after - 1] ?? 0;
  const value1 = epochs.value[after] ?? 0;
  return step1 > step0 ? value0 + ((value1 - value0) * (step - step0)) / (step1 - step0) : value1;
}

// Wall times are sent for finite points only: a NaN was recorded between its neighbours.
function wallTimesOf(series: SentSeries, steps: ArrayLike<number>): Float64Array {
  const times = series.wallTime;
  const out = new Float64Array(steps.length).fill(NaN);
  if (times === undefined || times.length === 0) return out;
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i] ?? 0;
    const after = lowerBound(series.step, step);
    if (series.step[after] === step || after === 0) out[i] = times[Math.min(after, times.length - 1)] ?? NaN;
    else if (after >= series.step.length) out[i] = times[times.length - 1] ?? NaN;
    else {
      const before = series.step[after - 1] ?? 0;
      const part = (step - before) / ((series.step[after] ?? 0) - before || 1);
      out[i] = (times[after - 1] ?? NaN) + part * ((times[after] ?? NaN) - (times[after - 1] ?? NaN));
    }
  }
  return out;
}

function xOf(series: SentSeries, steps: ArrayLike<number>, choice: XChoice): ArrayLike<number> | null {
  if (choice.kind === "step") return steps;
  if (choice.kind === "epoch") {
    const epochs = choice.epochsOf(series.run);
    return epochs === undefined || epochs.step.length < 2 ? null : Float64Array.from(steps, (step) => epochAt(epochs, step));
  }
  const times = wallTimesOf(series, steps);
  if (choice.kind === "wall") return times;
  const start = choice.startOf(series.run) ?? times[0] ?? 0;
  return times.map((time) => time - start);
}

export interface CurveSet {
  readonly curves: readonly Curve[];
  // Runs that have no place on this x axis (no epochs recorded).
  readonly withoutX: readonly string[];
}

export function curvesOf(sent: readonly SentSeries[], uses: readonly TagUse[], choice: XChoice, look: CurveLook): CurveSet {
  const useOf = new Map(uses.map((use) => [use.tag, use]));
  const curves: Curve[] = [];
  const withoutX = new Set<string>();
  for (const series of sent) {
    const use = useOf.get(series.tag);
    if (use === undefined) continue;
    const points = series.badStep.length === 0 ? { x: series.step, y: series.value } : joinBadPoints(series.step, series.value, series.badStep, series.badValue);
    const x = xOf(series, points.x, choice);
    if (x === null) {
      withoutX.add(series.run);
      continue;
    }
    curves.push({
      run: series.run, tag: series.tag, phase: use.phase, role: use.role, group: look.groupOf(series.run),
      color: look.colorOf(series.run), dash: look.dashOf(series.run), x, y: points.y, step: points.x,
      totalPoints: series.totalPoints, totalNonFinite: series.totalNonFinite, replacedPoints: series.replacedPoints,
    });
  }
  return { curves, withoutX: [...withoutX] };
}

export function xRangeOf(curves: readonly Curve[], log: boolean): Range {
  let first = Infinity;
  let last = -Infinity;
  for (const { x } of curves) {
    const from = log ? firstPositive(x) : x[0];
    const to = x[x.length - 1];
    if (from !== undefined && Number.isFinite(from)) first = Math.min(first, from);
    if (to !== undefined && Number.isFinite(to)) last = Math.max(last, to);
  }
  if (first > last) return log ? { first: 1, last: 10 } : { first: 0, last: 1 };
  if (first < last) return { first, last };
  return log ? { first: first / 2, last: first * 2 } : { first: first - 0.5, last: first + 0.5 };
}

function firstPositive(x: ArrayLike<number>): number | undefined {
  for (let i = 0; i < x.length; i += 1) if ((x[i] ?? 0) > 0) return x[i];
  return undefined;
}

// The steps behind a stretch of x, one point more on either side so that lines reach the edges; null where none lie in it.
export function stepsWithin(curves: readonly Curve[], range: Range): Range | null {
  let first = Infinity;
  let last = -Infinity;
  for (const { x, step } of curves) {
    if (x.length === 0) continue;
    const from = Math.max(0, lowerBound(x, range.first) - 1);
    const to = Math.min(x.length - 1, lowerBound(x, range.last));
    if ((x[to] ?? -Infinity) < range.first || (x[from] ?? Infinity) > range.last) continue;
    first = Math.min(first, step[from] ?? Infinity);
    last = Math.max(last, step[to] ?? -Infinity);
  }
  return first <= last ? { first, last } : null;
}

// A stretch in detail, with the last point before and the first one after it, so that lines reach the edges of the plot.
export function withNeighbours(detail: readonly SentSeries[], whole: readonly SentSeries[], range: Range): SentSeries[] {
  const known = new Map(detail.map((series) => [`${series.run}\n${series.tag}`, series]));
  return whole.map((series) => {
    const inside = known.get(`${series.run}\n${series.tag}`);
    const before = lowerBound(series.step, range.first) - 1;
    const after = lowerBound(series.step, range.last + Number.EPSILON * Math.abs(range.last));
    const next = series.step[after] === range.last ? after + 1 : after;
    const kept = [before >= 0 ? before : null, next < series.step.length ? next : null];
    const [left, right] = kept.map((index) => (index === null || isBroken(series, index, range) ? null : index));
    const none = { step: [], value: [], wallTime: [], badStep: [], badValue: [], totalPoints: 0, totalNonFinite: 0, replacedPoints: 0 };
    const middle = inside ?? { ...series, ...none };
    const join = (all: ArrayLike<number> | undefined, part: ArrayLike<number> | undefined): number[] => [
      ...(left === null || left === undefined ? [] : [all?.[left] ?? NaN]), ...Array.from(part ?? []), ...(right === null || right === undefined ? [] : [all?.[right] ?? NaN]),
    ];
    return {
      ...middle, step: join(series.step, middle.step), value: join(series.value, middle.value),
      ...(series.wallTime === undefined ? {} : { wallTime: join(series.wallTime, middle.wallTime) }),
    };
  });
}

// A NaN lies between the neighbour and the stretch: no line may cross it.
function isBroken(series: SentSeries, index: number, range: Range): boolean {
  const step = series.step[index] ?? 0;
  const [from, to] = step < range.first ? [step, range.first] : [range.last, step];
  const bad = series.badStep[lowerBound(series.badStep, from)];
  return bad !== undefined && bad <= to;
}
