// What moves over a curve chart: the cursor line with its dots, the curve under the pointer, the stretch being zoomed to.
import type { Sheet } from "./canvas";
import { pointAt } from "./curve";
import { MOST_FULL_LINES, type Drawing } from "./curve_drawing";
import type { CurveTokens } from "./curve_option";
import { MARGIN, type PlotArea } from "./plot_area";
import { cursorLabel } from "./x_axis";

export interface OverlayTokens extends CurveTokens {
  readonly accent: string;
}

export interface Overlay {
  readonly cursor: number | null;
  // Index of the curve that is drawn on top, -1 for none.
  readonly raised: number;
  // Pixels, while a drag goes on.
  readonly drag: { readonly from: number; readonly to: number } | null;
}

export function drawOverlay(sheet: Sheet, drawing: Drawing, area: PlotArea, overlay: Overlay, tokens: OverlayTokens): void {
  if (overlay.drag !== null) drawDrag(sheet, area, overlay.drag, tokens);
  if (overlay.raised >= 0 && !standsAlone(drawing)) drawRaised(sheet, drawing, area, overlay.raised, tokens);
  if (overlay.cursor !== null) drawCursor(sheet, drawing, area, overlay.cursor, overlay.raised, tokens);
}

// Few enough runs that each can be seen without help.
function standsAlone(drawing: Drawing): boolean {
  return drawing.bands.length === 0 && drawing.runs <= MOST_FULL_LINES;
}

function clipToPlot(context: CanvasRenderingContext2D, area: PlotArea): void {
  context.beginPath();
  context.rect(MARGIN.left, MARGIN.top, area.width, area.height);
  context.clip();
}

function drawDrag({ context }: Sheet, area: PlotArea, drag: { from: number; to: number }, tokens: OverlayTokens): void {
  context.save();
  clipToPlot(context, area);
  context.globalAlpha = 0.14;
  context.fillStyle = tokens.accent;
  context.fillRect(Math.min(drag.from, drag.to), MARGIN.top, Math.abs(drag.to - drag.from), area.height);
  context.globalAlpha = 1;
  context.restore();
}

function drawRaised({ context }: Sheet, drawing: Drawing, area: PlotArea, index: number, tokens: OverlayTokens): void {
  const raised = drawing.curves[index];
  if (raised === undefined) return;
  context.save();
  clipToPlot(context, area);
  // Train and val of a run rise together. A halo keeps the line apart from the others.
  drawing.curves.forEach((curve, i) => {
    if (curve.run !== raised.run) return;
    const y = drawing.smoothed?.[i] ?? curve.y;
    tracePath(context, curve.x, y, area);
    context.setLineDash([]);
    context.strokeStyle = tokens.surface;
    context.lineWidth = 3.25;
    context.stroke();
    context.setLineDash(curve.role === "val" ? [5, 3] : []);
    context.strokeStyle = curve.color;
    context.lineWidth = 1.75;
    context.stroke();
  });
  context.restore();
}

function tracePath(context: CanvasRenderingContext2D, x: ArrayLike<number>, y: ArrayLike<number>, area: PlotArea): void {
  context.beginPath();
  context.lineJoin = "round";
  let open = false;
  for (let i = 0; i < x.length; i += 1) {
    const atX = area.pixelOfX(x[i] ?? NaN);
    const atY = area.pixelOfY(y[i] ?? NaN);
    if (!Number.isFinite(atX) || !Number.isFinite(atY)) open = false;
    else if (open) context.lineTo(atX, atY);
    else {
      context.moveTo(atX, atY);
      open = true;
    }
  }
}

function drawCursor(sheet: Sheet, drawing: Drawing, area: PlotArea, cursor: number, raised: number, tokens: OverlayTokens): void {
  const { context } = sheet;
  const x = area.pixelOfX(cursor);
  if (!(x >= MARGIN.left - 1 && x <= MARGIN.left + area.width + 1)) return;
  context.strokeStyle = tokens.cursor;
  context.lineWidth = 1;
  context.beginPath();
  const line = Math.round(x) + 0.5;
  context.moveTo(line, MARGIN.top);
  context.lineTo(line, area.bottom);
  context.stroke();
  const few = standsAlone(drawing);
  drawing.curves.forEach((curve, i) => {
    if (!few && curve.run !== drawing.curves[raised]?.run) return;
    const point = pointAt(curve, cursor);
    if (point === null) return;
    dot(context, area, point.x, drawing.smoothed?.[i]?.[point.index] ?? point.y, curve.color, tokens.surface);
  });
  if (!few && raised < 0) for (const group of drawing.bands) {
    const point = pointAt({ x: group.band.x, y: group.band.mean, role: "single" }, cursor);
    if (point !== null) dot(context, area, point.x, point.y, group.color, tokens.surface);
  }
  drawLabel(context, area, x, cursorLabel(cursor, drawing.xKind), tokens);
}

function dot(context: CanvasRenderingContext2D, area: PlotArea, x: number, y: number, color: string, surface: string): void {
  const atX = area.pixelOfX(x);
  const atY = area.pixelOfY(y);
  if (!Number.isFinite(atX) || !(atY >= MARGIN.top - 0.5 && atY <= area.bottom + 0.5)) return;
  context.beginPath();
  context.arc(atX, atY, 3.5, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = surface;
  context.stroke();
}

function drawLabel(context: CanvasRenderingContext2D, area: PlotArea, x: number, text: string, tokens: OverlayTokens): void {
  context.font = `500 11px ${tokens.font}`;
  const width = Math.max(40, context.measureText(text).width + 12);
  const end = MARGIN.left + area.width + MARGIN.right;
  const left = Math.max(0, Math.min(end - width, x - width / 2));
  const top = area.bottom + 3;
  context.beginPath();
  context.roundRect(left, top, width, 16, 3);
  context.fillStyle = tokens.ink;
  context.fill();
  context.fillStyle = tokens.surface;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, left + width / 2, top + 8.5);
}
