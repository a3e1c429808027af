// A curve chart as a file: PNG and SVG with its title and the names of its runs, and the points that are drawn as CSV.
import type { Curve } from "./curve";
import type { Drawing } from "./curve_drawing";
import { curveOption, type CurveTokens } from "./curve_option";
import { csv, saveSvg, saveText } from "./download";
import { MARGIN } from "./plot_area";

const HEAD = 28;
const LEGEND_ROW = 18;
const MOST_NAMED = 24;

interface LegendEntry {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

// Names below the picture, as many in a row as fit.
export function legendOf(drawing: Drawing, width: number): { entries: LegendEntry[]; height: number } {
  const named =
    drawing.bands.length > 0
      ? drawing.bands.map((band) => ({ text: `${band.group || "all runs"}${band.phase === "value" ? "" : `, ${band.phase}`}: mean, min to max of ${band.runs}`, color: band.color }))
      : [...new Map(drawing.curves.map((curve) => [curve.run, { text: curve.run, color: curve.color }])).values()];
  const left = 12;
  let x = left;
  let y = 0;
  const entries = named.slice(0, MOST_NAMED).map(({ text, color }) => {
    const wide = 24 + 6.4 * text.length;
    if (x > left && x + wide > width - left) {
      x = left;
      y += LEGEND_ROW;
    }
    const entry = { x, y, text, color };
    x += wide;
    return entry;
  });
  return { entries, height: named.length === 0 ? 8 : y + LEGEND_ROW + 8 };
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

export async function curveSvg(drawing: Drawing, title: string, tokens: CurveTokens, width: number, height: number): Promise<string> {
  // Charts are registered by the engine; the SVG renderer comes with the first picture that is saved.
  const [{ renderSvg }] = await Promise.all([import("./curve_svg"), import("./curve_engine")]);
  const inner = renderSvg(curveOption(drawing, tokens, width - MARGIN.left - MARGIN.right), width, height);
  const legend = legendOf(drawing, width);
  const total = HEAD + height + legend.height;
  const font = escaped(tokens.font);
  const names = legend.entries.map(
    ({ x, y, text, color }) =>
      `<circle cx="${x + 5}" cy="${HEAD + height + y + 9}" r="4" fill="${escaped(color)}"/>` +
      `<text x="${x + 14}" y="${HEAD + height + y + 13}" font-size="11" fill="${escaped(tokens.ink2)}">${escaped(text)}</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="${font}">` +
    `<rect width="100%" height="100%" fill="${escaped(tokens.surface)}"/>` +
    `<text x="12" y="19" font-size="13" font-weight="500" fill="${escaped(tokens.ink)}">${escaped(title)}</text>` +
    `<svg y="${HEAD}" width="${width}" height="${height}">${inner}</svg>${names.join("")}</svg>\n`
  );
}

export async function saveCurveSvg(drawing: Drawing, title: string, tokens: CurveTokens, width: number, height: number): Promise<void> {
  saveSvg(await curveSvg(drawing, title, tokens, width, height), title);
}

// The chart's own canvas under its title and above the names of its runs.
export function curveCanvas(chart: HTMLCanvasElement, drawing: Drawing, title: string, tokens: CurveTokens, width: number, height: number): HTMLCanvasElement {
  const legend = legendOf(drawing, width);
  const ratio = chart.width / width;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round((HEAD + height + legend.height) * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return chart;
  context.fillStyle = tokens.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, 0, Math.round(HEAD * ratio));
  context.scale(ratio, ratio);
  context.fillStyle = tokens.ink;
  context.font = `500 13px ${tokens.font}`;
  context.fillText(title, 12, 19);
  context.font = `11px ${tokens.font}`;
  for (const { x, y, text, color } of legend.entries) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x + 5, HEAD + height + y + 9, 4, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = tokens.ink2;
    context.fillText(text, x + 14, HEAD + height + y + 13);
  }
  return canvas;
}

function* rowsOf(curves: readonly Curve[], withX: boolean): Generator<(string | number)[]> {
  for (const { run, tag, step, x, y } of curves) {
    for (let i = 0; i < x.length; i += 1) yield [run, tag, step[i] ?? NaN, ...(withX ? [x[i] ?? NaN] : []), y[i] ?? NaN];
  }
}

export function curveCsv(drawing: Drawing): string {
  const withX = drawing.xKind !== "step";
  if (drawing.bands.length === 0) return csv(["run", "tag", "step", ...(withX ? [drawing.xKind] : []), "value"], rowsOf(drawing.curves, withX));
  const rows = drawing.bands.flatMap(({ group, phase, band }) =>
    Array.from(band.x, (x, i) => [group, phase, x, band.mean[i] ?? NaN, band.min[i] ?? NaN, band.max[i] ?? NaN, band.curves[i] ?? 0]),
  );
  return csv(["group", "phase", drawing.xKind, "mean", "min", "max", "runs"], rows);
}

export function saveCurveCsv(drawing: Drawing, title: string): void {
  saveText(curveCsv(drawing), title);
}
