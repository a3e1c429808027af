// What is drawn of a set of curves: lines and bands by the number of runs, the axes, and the marks.
import { bandOf, type Band } from "./bands";
import type { Curve, Range } from "./curve";
import { xRangeOf } from "./curve_data";
import { marksOf, type Marks } from "./curve_marks";
import { valueAxisOf, type AxisWish, type ValueAxis } from "./curve_scale";
import { smooth } from "./smoothing";
import type { XKind } from "./x_axis";

export const MOST_FULL_LINES = 12;
export const MOST_LINES = 40;
const PIXELS_PER_SYMBOL = 12; // 2 points per 24 px

export interface Line {
  readonly curve: Curve;
  readonly y: ArrayLike<number>;
  readonly width: number;
  readonly opacity: number;
  readonly symbols: boolean;
  readonly dash: readonly number[];
}

export interface GroupBand {
  readonly group: string;
  readonly phase: string;
  readonly color: string;
  readonly runs: number;
  readonly dash: readonly number[];
  readonly band: Band;
}

export interface Drawing {
  readonly curves: readonly Curve[];
  // The smoothed y of each curve, where smoothing is on.
  readonly smoothed: readonly ArrayLike<number>[] | null;
  readonly lines: readonly Line[];
  readonly bands: readonly GroupBand[];
  readonly runs: number;
  readonly axis: ValueAxis;
  readonly x: Range;
  readonly xKind: XKind;
  readonly logX: boolean;
  readonly marks: Marks;
  // Points that a log x axis has no place for.
  readonly beforeAxis: number;
}

export interface DrawingWish extends AxisWish {
  readonly xKind: XKind;
  readonly logX: boolean;
  readonly zoom: Range | null;
  // 0 is off.
  readonly smoothing: number;
  readonly plotWidth: number;
  // Draw a band per group whatever the number of runs.
  readonly banded?: boolean;
  // The colour of bands where a colour does not mean a group.
  readonly bandColor?: string | undefined;
}

export function drawingOf(curves: readonly Curve[], wish: DrawingWish): Drawing {
  const x = zoomed(xRangeOf(curves, wish.logX), wish);
  const smoothed = wish.smoothing > 0 ? curves.map((curve) => smooth(curve.y, wish.smoothing)) : null;
  const runs = new Set(curves.map((curve) => curve.run)).size;
  const axis = valueAxisOf(curves.map((curve) => within(curve, x)), { ...wish, zoomed: wish.zoom !== null });
  const banded = runs > 1 && (wish.banded === true || runs > MOST_LINES);
  return {
    curves, smoothed, runs, axis, x, xKind: wish.xKind, logX: wish.logX,
    lines: banded ? [] : linesOf(curves, smoothed, runs, x, wish),
    bands: banded ? bandsOf(curves, smoothed, wish.bandColor) : [],
    marks: marksOf(curves, axis, x),
    beforeAxis: wish.logX ? curves.reduce((sum, curve) => sum + notPositive(curve.x), 0) : 0,
  };
}

function notPositive(x: ArrayLike<number>): number {
  let seen = 0;
  for (let i = 0; i < x.length; i += 1) if ((x[i] ?? 1) <= 0) seen += 1;
  return seen;
}

function zoomed(whole: Range, wish: DrawingWish): Range {
  if (wish.zoom === null || (wish.logX && wish.zoom.first <= 0)) return whole;
  return wish.zoom;
}

function within(curve: Curve, { first, last }: Range): ArrayLike<number> {
  const { x, y } = curve;
  if ((x[0] ?? first) >= first && (x[x.length - 1] ?? last) <= last) return y;
  return Array.from(y).filter((_, i) => (x[i] ?? NaN) >= first && (x[i] ?? NaN) <= last);
}

function pointsIn(curve: Curve, { first, last }: Range): number {
  let seen = 0;
  for (let i = 0; i < curve.x.length; i += 1) if ((curve.x[i] ?? NaN) >= first && (curve.x[i] ?? NaN) <= last) seen += 1;
  return seen;
}

function linesOf(curves: readonly Curve[], smoothed: Drawing["smoothed"], runs: number, x: Range, wish: DrawingWish): Line[] {
  const many = runs > MOST_FULL_LINES;
  const phases = [...new Set(curves.filter((curve) => curve.role === "val").map((curve) => curve.phase))];
  const lines = curves.flatMap((curve, i): Line[] => {
    const sparse = pointsIn(curve, x) * PIXELS_PER_SYMBOL < wish.plotWidth;
    // A second phase beside val (test, eval) is dashed: colour belongs to the run.
    const dash = curve.role === "val" && curve.phase !== phases[0] ? [5, 3] : curve.dash;
    const base = { curve, dash, symbols: sparse && !many };
    const train = curve.role === "train";
    if (many) return [{ ...base, y: smoothed?.[i] ?? curve.y, width: 1, opacity: 0.35 }];
    if (smoothed === null) return [{ ...base, y: curve.y, width: train ? 1 : 1.75, opacity: train ? 0.62 : 1 }];
    return [
      { ...base, y: curve.y, width: 1, opacity: 0.3, symbols: false },
      { ...base, y: smoothed[i] ?? curve.y, width: train ? 1.25 : 1.75, opacity: train ? 0.8 : 1 },
    ];
  });
  // Val lies above train, smoothed above raw.
  return lines.sort((a, b) => Number(a.curve.role === "val") - Number(b.curve.role === "val"));
}

function bandsOf(curves: readonly Curve[], smoothed: Drawing["smoothed"], color: string | undefined): GroupBand[] {
  const parts = new Map<string, { first: Curve; lines: { x: ArrayLike<number>; y: ArrayLike<number> }[] }>();
  curves.forEach((curve, i) => {
    const key = `${curve.group}\n${curve.phase}`;
    const part = parts.get(key) ?? { first: curve, lines: [] };
    part.lines.push({ x: curve.x, y: smoothed?.[i] ?? curve.y });
    parts.set(key, part);
  });
  return [...parts.values()].map(({ first, lines }) => ({
    group: first.group, phase: first.phase, color: color ?? first.color, runs: lines.length,
    dash: first.role === "val" ? [5, 3] : [], band: bandOf(lines),
  }));
}
