// Feature maps as one picture to keep: all tiles with their names, on one canvas.
import type { FeatureMapSet } from "./feature_maps";
import type { HeatScale, HeatTokens } from "./scales";
import { drawValues } from "./value_colors";

const GAP = 8;
const CAPTION = 16;
const WANTED_TILE = 96;
const WANTED_WIDTH = 1200;

export interface PictureLayout {
  /** Pixels for one value. */
  times: number;
  across: number;
  tileWidth: number;
  tileHeight: number;
  width: number;
  height: number;
}

export function pictureLayout(rows: number, columns: number, tiles: number): PictureLayout {
  const times = Math.max(1, Math.round(WANTED_TILE / Math.max(1, rows, columns)));
  const [tileWidth, tileHeight] = [columns * times, rows * times];
  const across = Math.max(1, Math.min(tiles, Math.floor(WANTED_WIDTH / (tileWidth + GAP))));
  const down = Math.ceil(tiles / across);
  return { times, across, tileWidth, tileHeight, width: GAP + across * (tileWidth + GAP), height: GAP + down * (tileHeight + CAPTION + GAP) };
}

export function mapsPicture(set: FeatureMapSet, scale: HeatScale, tokens: HeatTokens & { ink3: string; line2: string; font: string }, word: string): HTMLCanvasElement {
  const layout = pictureLayout(set.rows, set.columns, set.maps.length);
  const canvas = document.createElement("canvas");
  canvas.width = layout.width;
  canvas.height = layout.height;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.imageSmoothingEnabled = false;
  context.font = `11px ${tokens.font}`;
  context.textBaseline = "top";
  const tile = document.createElement("canvas");
  set.maps.forEach((map, i) => {
    const x = GAP + (i % layout.across) * (layout.tileWidth + GAP);
    const y = GAP + Math.floor(i / layout.across) * (layout.tileHeight + CAPTION + GAP);
    if (map.zero) {
      context.strokeStyle = tokens.line2;
      context.setLineDash([3, 3]);
      context.strokeRect(x + 0.5, y + 0.5, layout.tileWidth - 1, layout.tileHeight - 1);
    } else {
      drawValues(tile, set.columns, set.rows, (n) => map.at(Math.floor(n / set.columns), n % set.columns), scale, tokens);
      context.drawImage(tile, x, y, layout.tileWidth, layout.tileHeight);
    }
    context.fillStyle = tokens.ink3;
    context.fillText(`${word} ${map.channel}${map.zero ? ", all 0" : ""}`, x, y + layout.tileHeight + 2, layout.tileWidth);
  });
  return canvas;
}
