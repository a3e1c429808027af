// What a curve chart cannot draw as a line, and says with marks: NaN, Inf, cut outliers, values <= 0 on a log axis.
import type { Curve, Range } from "./curve";
import type { ValueAxis } from "./curve_scale";
import { count, number } from "./numbers";

// A bar from the first to the last such point of one run: above the plot (nan, inf), or at its bottom (low).
export interface Rail {
  readonly kind: "nan" | "inf" | "low";
  readonly run: string;
  readonly color: string;
  readonly first: number;
  readonly last: number;
  readonly firstStep: number;
  readonly count: number;
}

export interface Cut {
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly above: boolean;
}

export interface Marks {
  readonly rails: readonly Rail[];
  // One for each place where a triangle fits; cutAbove and cutBelow count all points.
  readonly cuts: readonly Cut[];
  readonly cutAbove: number;
  readonly cutBelow: number;
  readonly largest: number;
  readonly smallest: number;
}

interface RailDraft {
  first: number;
  last: number;
  firstStep: number;
  count: number;
}

const TRIANGLES_ACROSS = 80;

export function marksOf(curves: readonly Curve[], axis: ValueAxis, view: Range): Marks {
  const rails: Rail[] = [];
  const cuts = new Map<string, Cut>();
  let cutAbove = 0;
  let cutBelow = 0;
  let largest = -Infinity;
  let smallest = Infinity;
  const place = (x: number): number => Math.round(((x - view.first) / (view.last - view.first || 1)) * TRIANGLES_ACROSS);
  for (const curve of curves) {
    const drafts: Partial<Record<Rail["kind"], RailDraft>> = {};
    for (let i = 0; i < curve.x.length; i += 1) {
      const x = curve.x[i] ?? NaN;
      if (x < view.first || x > view.last) continue;
      const y = curve.y[i] ?? NaN;
      const kind = Number.isNaN(y) ? "nan" : Number.isFinite(y) ? (axis.log && y <= 0 ? "low" : null) : "inf";
      if (kind !== null) {
        const draft = (drafts[kind] ??= { first: x, last: x, firstStep: curve.step[i] ?? x, count: 0 });
        draft.last = x;
        draft.count += 1;
        continue;
      }
      const above = y > axis.max;
      if (!above && y >= axis.min) continue;
      if (above) cutAbove += 1;
      else cutBelow += 1;
      largest = Math.max(largest, y);
      smallest = Math.min(smallest, y);
      cuts.set(`${above} ${place(x)} ${curve.color}`, { x, y, color: curve.color, above });
    }
    completeCounts(drafts, curve.totalNonFinite);
    for (const kind of ["nan", "inf", "low"] as const) {
      const draft = drafts[kind];
      if (draft !== undefined) rails.push({ kind, run: curve.run, color: curve.color, ...draft });
    }
  }
  return { rails, cuts: [...cuts.values()], cutAbove, cutBelow, largest, smallest };
}

// Of very many NaN the server sends the first of each pixel column, and says how many there are.
function completeCounts(drafts: Partial<Record<Rail["kind"], RailDraft>>, total: number): void {
  const { nan, inf } = drafts;
  const seen = (nan?.count ?? 0) + (inf?.count ?? 0);
  if (total <= seen) return;
  const larger = (nan?.count ?? 0) >= (inf?.count ?? 0) ? nan : inf;
  if (larger !== undefined) larger.count += total - seen;
}

// One remark in the foot of a card. `color` is the run's, where one run is meant.
export interface Note {
  readonly sign: "\u25b2" | "\u25bc" | "\u25bd" | "\u25cf" | "";
  readonly text: string;
  // Where many remarks share the line.
  readonly short: string;
  readonly title: string;
  readonly color?: string;
}

const MOST_RUNS_NAMED = 3;

// `beforeAxis`: points at x <= 0 that a log x axis has no place for.
export function notesOf(marks: Marks, beforeAxis = 0): Note[] {
  const notes: Note[] = [];
  if (marks.cutAbove > 0) {
    const text = `${count(marks.cutAbove)} up to ${number(marks.largest, 3)}`;
    notes.push({ sign: "\u25b2", text, short: text, title: `${count(marks.cutAbove)} points lie above the axis, the largest is ${number(marks.largest)}` });
  }
  if (marks.cutBelow > 0) {
    const text = `${count(marks.cutBelow)} down to ${number(marks.smallest, 3)}`;
    notes.push({ sign: "\u25bc", text, short: text, title: `${count(marks.cutBelow)} points lie below the axis, the smallest is ${number(marks.smallest)}` });
  }
  for (const [kind, word] of [["nan", "NaN"], ["inf", "Inf"]] as const) notes.push(...badNotes(marks.rails.filter((rail) => rail.kind === kind), word));
  const low = marks.rails.reduce((sum, rail) => sum + (rail.kind === "low" ? rail.count : 0), 0);
  if (low > 0) notes.push({ sign: "\u25bd", text: `${count(low)} \u2264 0`, short: `${count(low)} \u2264 0`, title: `${count(low)} points are 0 or less and have no place on a log axis` });
  if (beforeAxis > 0) notes.push({ sign: "", text: `${count(beforeAxis)} at x \u2264 0`, short: `${count(beforeAxis)} at x \u2264 0`, title: `${count(beforeAxis)} points at the very start have no place on a log x axis` });
  return notes;
}

function badNotes(rails: readonly Rail[], word: string): Note[] {
  const byRun = new Map<string, Rail>();
  for (const rail of rails) {
    const known = byRun.get(rail.run);
    const firstStep = Math.min(rail.firstStep, known?.firstStep ?? Infinity);
    byRun.set(rail.run, { ...rail, count: rail.count + (known?.count ?? 0), firstStep });
  }
  if (byRun.size > MOST_RUNS_NAMED) {
    const first = [...byRun.values()].reduce((a, b) => (b.firstStep < a.firstStep ? b : a));
    const text = `${word} in ${count(byRun.size)} runs from ${count(first.firstStep)}`;
    return [{ sign: "\u25cf", text, short: `${word} in ${count(byRun.size)} runs`, title: `${word} in ${count(byRun.size)} runs, first in ${first.run} at step ${count(first.firstStep)}`, color: first.color }];
  }
  return [...byRun.values()].map((rail) => ({
    sign: "\u25cf",
    text: `${count(rail.count)} ${word} from ${count(rail.firstStep)}`,
    short: `${count(rail.count)} ${word}`,
    title: `${rail.run}: ${count(rail.count)} ${word}, the first at step ${count(rail.firstStep)}`,
    color: rail.color,
  }));
}
