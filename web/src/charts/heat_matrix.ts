// The geometry of a matrix drawn as cells: how large a cell is, what lies under a point, which rows and columns are labelled.
export interface MatrixBox {
  /** Where the cells begin, in CSS pixels. */
  left: number;
  top: number;
  cellWidth: number;
  cellHeight: number;
  width: number;
  height: number;
}

export interface MatrixCell {
  row: number;
  column: number;
}

const LABEL_ROW = 18;
const LARGEST_CELL = 56;
const LEAST_SQUARE = 4;
// A vector, or a few of them: their thin side is this many pixels an entry.
const FEW = 4;
const MOST_STRIP = 24;

// Cells are square while both sides can be seen; a long thin matrix fills the room it has.
export function matrixBox(rows: number, columns: number, room: { width: number; height: number }, labelWidth: number): MatrixBox {
  const left = labelWidth;
  const top = LABEL_ROW;
  const most = rows * columns <= 400 ? LARGEST_CELL : 24;
  let cellWidth = Math.min(most, Math.max(1, room.width - left) / Math.max(1, columns));
  let cellHeight = Math.min(most, Math.max(1, room.height - top) / Math.max(1, rows));
  const square = Math.min(cellWidth, cellHeight);
  const isStrip = Math.min(rows, columns) <= FEW && square < MOST_STRIP;
  if (isStrip) [cellWidth, cellHeight] = [Math.min(cellWidth, MOST_STRIP), Math.min(cellHeight, MOST_STRIP)];
  else if (square >= LEAST_SQUARE || Math.max(cellWidth, cellHeight) < 2 * square) cellWidth = cellHeight = square;
  return { left, top, cellWidth, cellHeight, width: left + cellWidth * columns, height: top + cellHeight * rows };
}

export function cellAt(box: MatrixBox, rows: number, columns: number, x: number, y: number): MatrixCell | null {
  const row = Math.floor((y - box.top) / box.cellHeight);
  const column = Math.floor((x - box.left) / box.cellWidth);
  return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : null;
}

// Entries of one side that get a label: round numbers of its indices, no nearer than `least` pixels.
export function labelled(length: number, from: number, every: number, cell: number, least: number): number[] {
  if (length <= 0) return [];
  const apart = Math.max(1, Math.ceil(least / Math.max(cell, 1e-6)));
  const rough = apart * every;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((times) => times * power).find((value) => value >= rough) ?? rough;
  const places: number[] = [];
  for (let i = 0; i < length; i += 1) {
    const index = from + i * every;
    // The first entry whose index is at or behind the next round number.
    if (i === 0 ? index % round === 0 : Math.floor(index / round) !== Math.floor((index - every) / round)) places.push(i);
  }
  return places.length > 0 ? places : [0];
}

// The cells between two corners, whichever came first.
export function between(a: MatrixCell, b: MatrixCell): { rows: [number, number]; columns: [number, number] } {
  return {
    rows: [Math.min(a.row, b.row), Math.max(a.row, b.row)],
    columns: [Math.min(a.column, b.column), Math.max(a.column, b.column)],
  };
}

// Black or white, whichever can be read on a colour ("rgb(r, g, b)").
export function inkOn(color: string): string {
  const [r = 0, g = 0, b = 0] = (/\d+(, ?\d+)*/.exec(color)?.[0] ?? "").split(",").map((part) => {
    const share = Number(part) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}
