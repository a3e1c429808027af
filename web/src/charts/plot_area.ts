// Where on the screen a value of a curve chart stands, and which value stands at a place.
import type { Range } from "./curve";
import type { ValueAxis } from "./curve_scale";

// Room around the plot; the one above is the rail of NaN and Inf.
export const MARGIN = { left: 46, right: 14, top: 22, bottom: 24 };

export class PlotArea {
  readonly width: number;
  readonly height: number;

  constructor(
    totalWidth: number,
    totalHeight: number,
    readonly x: Range,
    readonly y: ValueAxis,
    readonly logX = false,
  ) {
    this.width = Math.max(1, totalWidth - MARGIN.left - MARGIN.right);
    this.height = Math.max(1, totalHeight - MARGIN.top - MARGIN.bottom);
  }

  get bottom(): number {
    return MARGIN.top + this.height;
  }

  pixelOfX(x: number): number {
    return MARGIN.left + this.width * share(x, this.x.first, this.x.last, this.logX);
  }

  pixelOfY(y: number): number {
    return MARGIN.top + this.height * (1 - share(y, this.y.min, this.y.max, this.y.log));
  }

  xOfPixel(pixel: number): number {
    return inverse((pixel - MARGIN.left) / this.width, this.x.first, this.x.last, this.logX);
  }

  yOfPixel(pixel: number): number {
    return inverse(1 - (pixel - MARGIN.top) / this.height, this.y.min, this.y.max, this.y.log);
  }

  // The pointer is over the plot, or so near that it means its edge.
  holds(pixelX: number, pixelY: number): boolean {
    return pixelX >= MARGIN.left - 6 && pixelX <= MARGIN.left + this.width + 6 && pixelY >= 0 && pixelY <= this.bottom + MARGIN.bottom;
  }
}

function share(value: number, first: number, last: number, log: boolean): number {
  if (log) return (Math.log(value) - Math.log(first)) / (Math.log(last) - Math.log(first) || 1);
  return (value - first) / (last - first || 1);
}

function inverse(part: number, first: number, last: number, log: boolean): number {
  if (log) return Math.exp(Math.log(first) + part * (Math.log(last) - Math.log(first)));
  return first + part * (last - first);
}
