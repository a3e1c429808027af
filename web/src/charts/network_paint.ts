// Draws the Network picture: cells of one run, the lines over them, and the profile beside them.
import { drawStepAxis, type Sheet } from "./canvas";
import { columnOfStep, endOf, infSeen, nanSeen, nothing, type HeldCells, type RowLayout, type StepColumns } from "./network_grid";
import { hatch, packColor, type HeatScale, type HeatTokens } from "./scales";

export interface NetworkTokens extends HeatTokens {
  readonly grid: string;
  readonly ink: string;
  readonly ink3: string;
  readonly line2: string;
  readonly accent: string;
  readonly bg: string;
  readonly font: string;
}

/** Room below the rows for the step axis. */
export const axisRoom = 22;

/** One pixel per cell; drawn stretched, without smoothing. Null where there is no canvas to draw on. */
export function cellImage(cells: HeldCells, scale: HeatScale, tokens: NetworkTokens): HTMLCanvasElement | null {
  if (cells.rows === 0 || cells.columns === 0) return null;
  const image = document.createElement("canvas");
  image.width = cells.columns;
  image.height = cells.rows;
  const context = image.getContext("2d");
  if (!context) return null;
  const data = context.createImageData(cells.columns, cells.rows);
  paintCells(new Uint32Array(data.data.buffer), cells, scale, tokens);
  context.putImageData(data, 0, 0);
  return image;
}

/** Packed colours of the cells; nothing recorded stays transparent. */
export function paintCells(pixels: Uint32Array, cells: HeldCells, scale: HeatScale, tokens: HeatTokens): void {
  const inf = packColor(tokens.heatInf);
  const nan = packColor(tokens.heatNanA);
  for (let i = 0; i < cells.marks.length; i++) {
    const mark = cells.marks[i];
    if (mark === nothing) pixels[i] = 0;
    else if (mark === nanSeen) pixels[i] = nan;
    else if (mark === infSeen) pixels[i] = inf;
    else pixels[i] = scale.packed(cells.values[i] ?? Number.NaN);
  }
}

/** First and one past the last column of each stretch of NaN in a row. */
export function nanStretches(cells: HeldCells, row: number): [number, number][] {
  const stretches: [number, number][] = [];
  let from = -1;
  for (let c = 0; c <= cells.columns; c++) {
    const bad = c < cells.columns && cells.marks[row * cells.columns + c] === nanSeen;
    if (bad && from < 0) from = c;
    if (!bad && from >= 0) {
      stretches.push([from, c]);
      from = -1;
    }
  }
  return stretches;
}

export interface PanePicture {
  readonly cells: HeldCells;
  readonly image: HTMLCanvasElement | null;
  readonly layout: RowLayout;
  readonly steps: StepColumns;
  /** Rows that have no such tensor in this run: a dotted line instead of an empty track. */
  readonly absent: readonly boolean[];
}

export function drawPane(sheet: Sheet, picture: PanePicture, tokens: NetworkTokens, write: (n: number) => string): void {
  const { context, width, snap, ratio } = sheet;
  const { cells, image, layout } = picture;
  const inner = layout.height - layout.gap;
  context.imageSmoothingEnabled = false;
  const stripes = hatch(context, tokens, ratio);
  for (let row = 0; row < cells.rows; row++) {
    const top = snap(row * layout.height);
    const tall = snap(row * layout.height + inner) - top;
    context.fillStyle = tokens.grid;
    context.fillRect(0, top, width, tall);
    if (picture.absent[row]) {
      context.strokeStyle = tokens.line2;
      context.setLineDash([2, 4]);
      context.beginPath();
      context.moveTo(2, top + Math.floor(tall / 2) + 0.5);
      context.lineTo(width - 2, top + Math.floor(tall / 2) + 0.5);
      context.stroke();
      context.setLineDash([]);
      continue;
    }
    if (image) context.drawImage(image, 0, row, cells.columns, 1, 0, top, width, tall);
    for (const [from, to] of nanStretches(cells, row)) {
      const left = snap((from / cells.columns) * width);
      context.fillStyle = stripes;
      context.fillRect(left, top, Math.max(1, snap((to / cells.columns) * width) - left), tall);
    }
  }
  drawStepAxis(sheet, 0, width, cells.rows * layout.height + 12, picture.steps.first, endOf(picture.steps), tokens.ink3, write);
}

export interface PaneMarks {
  /** Step of the line; null for none. */
  readonly step: number | null;
  /** Whether the line follows the pointer. */
  readonly preview: boolean;
  readonly row: number | null;
  /** A stretch being dragged, in pixels. */
  readonly drag: readonly [number, number] | null;
  readonly recorded: boolean;
}

/** Middle of a step's column in pixels. */
export function stepToX(step: number, width: number, steps: StepColumns): number | null {
  const column = columnOfStep(step, steps);
  return column < 0 ? null : ((column + 0.5) / steps.columns) * width;
}

export function drawMarks(sheet: Sheet, picture: PanePicture, marks: PaneMarks, tokens: NetworkTokens): void {
  const { context, width } = sheet;
  const { layout, cells } = picture;
  const inner = layout.height - layout.gap;
  const at = marks.step === null ? null : stepToX(marks.step, width, picture.steps);
  if (at !== null) {
    const x = Math.min(width - 1, Math.max(0, Math.floor(at))) + 0.5;
    const lit = marks.preview ? tokens.ink : tokens.accent;
    if (marks.recorded && layout.gap > 0) {
      context.fillStyle = lit;
      for (let row = 1; row < cells.rows; row++) context.fillRect(x - 1, row * layout.height - layout.gap, 2, layout.gap);
    }
    context.strokeStyle = marks.recorded ? "#ffffff" : tokens.line2;
    context.globalAlpha = marks.recorded ? 0.7 : 1;
    context.beginPath();
    for (let row = 0; row < cells.rows; row++) {
      if (row === marks.row) continue;
      context.moveTo(x, row * layout.height);
      context.lineTo(x, row * layout.height + inner);
    }
    context.stroke();
    context.globalAlpha = 1;
    const bottom = cells.rows * layout.height - layout.gap;
    context.fillStyle = lit;
    context.beginPath();
    const tip = Math.max(4, Math.min(width - 4, x));
    context.moveTo(tip, bottom);
    context.lineTo(tip - 4, bottom + 6);
    context.lineTo(tip + 4, bottom + 6);
    context.fill();
  }
  if (marks.row !== null && marks.row < cells.rows) {
    context.strokeStyle = tokens.ink;
    context.lineWidth = 1.5;
    context.strokeRect(0.75, marks.row * layout.height - 0.25, width - 1.5, inner + 0.5);
    context.lineWidth = 1;
  }
  if (marks.drag) {
    const [from, to] = marks.drag;
    context.fillStyle = tokens.accent;
    context.globalAlpha = 0.25;
    context.fillRect(Math.min(from, to), 0, Math.abs(to - from), cells.rows * layout.height);
    context.globalAlpha = 1;
  }
}

/** What one run has at the step line: a value per row, with its mark. */
export interface Profile {
  readonly color: string;
  readonly values: readonly number[];
  readonly marks: readonly number[];
}

const profilePad = 8;

/** Values per row at the step line, one polyline per run, on the same value axis as the colours. */
export function drawProfile(sheet: Sheet, profiles: readonly Profile[], scale: HeatScale, layout: RowLayout, rows: number, tokens: NetworkTokens, write: (n: number) => string): void {
  const { context, width } = sheet;
  const axis = scale.mapping;
  const place = (v: number) => profilePad + Math.max(0, Math.min(1, axis.place(v))) * (width - 2 * profilePad);
  const middle = (row: number) => row * layout.height + (layout.height - layout.gap) / 2;
  const bottom = rows * layout.height - layout.gap;
  const ticks = axis.ticks(width < 130 ? 3 : 5);
  context.strokeStyle = tokens.grid;
  context.fillStyle = tokens.ink3;
  let free = -Infinity;
  for (const tick of ticks) {
    const x = Math.round(place(tick)) + 0.5;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, bottom);
    context.stroke();
    const text = write(tick);
    const wide = context.measureText(text).width;
    const left = Math.max(0, Math.min(width - wide, x - wide / 2));
    if (left < free) continue;
    context.textAlign = "left";
    context.fillText(text, left, rows * layout.height + 12);
    free = left + wide + 10;
  }
  const size = layout.height < 12 ? 1.75 : 3.5;
  for (const profile of profiles) {
    context.strokeStyle = profile.color;
    context.fillStyle = profile.color;
    context.globalAlpha = 0.55;
    context.beginPath();
    let pen = false;
    for (let row = 0; row < rows; row++) {
      const v = profile.values[row] ?? Number.NaN;
      const mark = profile.marks[row] ?? nothing;
      if (mark === nothing) continue; // layers without such a tensor do not break the line
      if (mark === nanSeen || mark === infSeen || scale.special(v)) {
        pen = false;
        continue;
      }
      if (pen) context.lineTo(place(v), middle(row));
      else context.moveTo(place(v), middle(row));
      pen = true;
    }
    context.stroke();
    context.globalAlpha = 1;
    for (let row = 0; row < rows; row++) {
      const mark = profile.marks[row] ?? nothing;
      if (mark === nothing) continue;
      drawProfilePoint(context, profile, row, mark, size, scale, place, middle(row), width, tokens);
    }
  }
}

function drawProfilePoint(context: CanvasRenderingContext2D, profile: Profile, row: number, mark: number, size: number, scale: HeatScale, place: (v: number) => number, y: number, width: number, tokens: NetworkTokens): void {
  const v = profile.values[row] ?? Number.NaN;
  const why = mark === nanSeen ? "nan" : mark === infSeen ? "inf" : scale.special(v);
  context.beginPath();
  if (why === null) {
    context.arc(place(v), y, size, 0, Math.PI * 2);
    context.fill();
  } else if (why === "zero" || why === "below") {
    // Hollow: a value that a log axis cannot place.
    const inside = context.fillStyle;
    context.fillStyle = tokens.bg;
    context.lineWidth = 1.5;
    context.arc(profilePad, y, Math.max(1.5, size - 0.5), 0, Math.PI * 2);
    context.fill();
    context.stroke();
    context.fillStyle = inside;
    context.lineWidth = 1;
  } else {
    const x = width - profilePad;
    context.lineWidth = 2;
    context.moveTo(x - 3, y - 3);
    context.lineTo(x + 3, y + 3);
    context.moveTo(x - 3, y + 3);
    context.lineTo(x + 3, y - 3);
    context.stroke();
    context.lineWidth = 1;
  }
}
