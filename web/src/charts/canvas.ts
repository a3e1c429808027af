// A canvas that is sharp on every screen: its pixels are the screen's, its coordinates are CSS pixels.

export interface Sheet {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  /** The nearest edge of a screen pixel. */
  snap(at: number): number;
}

/** Sizes a canvas and clears it; null where nothing can be drawn (no room, no context). */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number, font: string): Sheet | null {
  if (!(width > 0) || !(height > 0)) return null;
  const context = canvas.getContext("2d");
  if (!context) return null;
  const ratio = window.devicePixelRatio || 1;
  const across = Math.round(width * ratio);
  const down = Math.round(height * ratio);
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `11px ${font}`;
  context.lineWidth = 1;
  context.textBaseline = "alphabetic";
  return { context, width, height, ratio, snap: (at) => Math.round(at * ratio) / ratio };
}

/** Steps to label along an axis of this many pixels; the last stretch is left for the word "step". */
export function stepTicks(first: number, last: number, pixels: number): number[] {
  const span = last - first;
  if (!(span > 0)) return [first];
  const digits = String(Math.round(last)).length;
  const most = Math.max(1, Math.min(6, Math.floor(pixels / (digits * 7 + 32))));
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  const every = Math.max(1, (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power);
  const ticks: number[] = [];
  const room = (44 / pixels) * span;
  for (let step = Math.ceil(first / every) * every; step <= last - room; step += every) ticks.push(step);
  return ticks;
}

/** Labels below a picture whose x axis is steps: round steps, and the word at the right end. */
export function drawStepAxis(sheet: Sheet, left: number, width: number, baseline: number, first: number, last: number, ink: string, write: (n: number) => string): void {
  const { context } = sheet;
  context.fillStyle = ink;
  const span = last - first || 1;
  for (const step of stepTicks(first, last, width)) {
    const x = left + ((step - first) / span) * width;
    const text = write(step);
    const half = context.measureText(text).width / 2;
    context.textAlign = "left";
    context.fillText(text, Math.max(left, x - half), baseline);
  }
  context.textAlign = "right";
  context.fillText("step", left + width, baseline);
}
