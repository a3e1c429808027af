// Where the cursor of a curve chart goes: to recorded points, not between them.
import { lowerBound } from "./curve";
import type { Drawing } from "./curve_drawing";
import type { PlotArea } from "./plot_area";

const CURVES_LOOKED_AT = 40;
const SNAP_PIXELS = 10;

function nearestRecorded(drawing: Drawing, x: number): number | null {
  let best: number | null = null;
  for (const curve of drawing.curves.slice(0, CURVES_LOOKED_AT)) {
    const after = lowerBound(curve.x, x);
    for (const index of [after - 1, after]) {
      const at = curve.x[index];
      if (at !== undefined && Number.isFinite(at) && (best === null || Math.abs(at - x) < Math.abs(best - x))) best = at;
    }
  }
  return best;
}

// The x that a pointer means: the nearest recorded one if it is near, else the place itself.
export function nearestX(drawing: Drawing, area: PlotArea, pixel: number): number {
  const x = Math.max(drawing.x.first, Math.min(drawing.x.last, area.xOfPixel(pixel)));
  const recorded = nearestRecorded(drawing, x);
  if (recorded !== null && recorded >= drawing.x.first && recorded <= drawing.x.last && Math.abs(area.pixelOfX(recorded) - pixel) <= SNAP_PIXELS) return recorded;
  return drawing.xKind === "step" ? Math.round(x) : x;
}

// The recorded x that is `by` points of the longest curve away; from nowhere, the last one.
export function stepX(drawing: Drawing, from: number | null, by: number): number | null {
  let longest: ArrayLike<number> = [];
  for (const { x } of drawing.curves) if (x.length > longest.length) longest = x;
  if (longest.length === 0) return null;
  const inView = (x: number | undefined): boolean => x !== undefined && x >= drawing.x.first && x <= drawing.x.last;
  if (from === null) {
    let last = longest.length - 1;
    while (last > 0 && !inView(longest[last])) last -= 1;
    return longest[last] ?? null;
  }
  const here = lowerBound(longest, from);
  const between = longest[here] !== from && by < 0 ? 0 : longest[here] !== from && by > 0 ? -1 : 0;
  const next = longest[Math.max(0, Math.min(longest.length - 1, here + by + between))];
  return inView(next) ? (next ?? null) : from;
}
