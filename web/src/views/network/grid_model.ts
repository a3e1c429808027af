// From the server's grid to what the Network view draws: rows, cells per run, readings at a step.
import type { NetworkGrid } from "$api/types";
import { columnOfStep, gather, groupRows, hold, nothing, readCell, type CellReading, type HeldCells, type Row } from "$charts/network_grid";

export interface RunCells {
  readonly run: string;
  readonly cells: HeldCells;
  readonly tags: readonly (string | null)[];
  /** Per row: whether no layer of it has such a tensor in this run. */
  readonly absent: readonly boolean[];
}

export interface GridModel {
  readonly rows: readonly Row[];
  /** Whether rows are blocks of layers. */
  readonly grouped: boolean;
  readonly shapes: readonly string[];
  readonly runs: readonly RunCells[];
  readonly columns: number;
  readonly firstStep: number;
  readonly lastStep: number;
}

export function shapeText(shape: readonly (number | null)[] | null): string {
  return shape === null ? "" : shape.map((size) => size ?? "?").join("×");
}

/** Layers whose path lies in the block; all when no block is given. */
export function modelOf(grid: NetworkGrid, block: string | null): GridModel {
  const chosen = grid.layers.map((layer, index) => ({ ...layer, index })).filter(({ path }) => block === null || inBlock(path, block));
  const layers = chosen.length > 0 ? chosen : grid.layers.map((layer, index) => ({ ...layer, index }));
  const rows = groupRows(layers.map(({ path }) => path)).map((row) => ({
    name: row.name,
    layers: row.layers.map((k) => layers[k]?.index ?? 0),
  }));
  const grouped = rows.length < layers.length;
  return {
    rows,
    grouped,
    shapes: rows.map((row) => (row.layers.length === 1 ? shapeText(grid.layers[row.layers[0] ?? 0]?.shape ?? null) : `${row.layers.length} layers`)),
    columns: grid.columns,
    firstStep: grid.firstStep,
    lastStep: grid.lastStep,
    runs: grid.runs.map((run) => {
      const all = hold({
        rows: grid.layers.length,
        columns: grid.columns,
        values: Float32Array.from(run.value),
        marks: Uint8Array.from(run.mark),
      });
      return {
        run: run.run,
        tags: rows.map((row) => (row.layers.length === 1 ? (run.tags[row.layers[0] ?? 0] ?? null) : null)),
        cells: gather(all, rows),
        absent: rows.map((row) => row.layers.every((layer) => (run.tags[layer] ?? null) === null)),
      };
    }),
  };
}

export function inBlock(path: string, block: string): boolean {
  return path === block || (path.startsWith(block) && /^[/_.]/.test(path.slice(block.length)));
}

/** What a run has in a row at a step. */
export function readingAt(model: GridModel, run: RunCells, row: number, step: number): CellReading {
  return readCell(run.cells, row, columnOfStep(step, model.columns, model.firstStep, model.lastStep), model.firstStep, model.lastStep);
}

/** Steps at which any of the runs has something recorded: the first step of each such column. */
export function recordedSteps(model: GridModel): number[] {
  const columns = new Set<number>();
  for (const run of model.runs) for (const origin of run.cells.origins) if (origin >= 0) columns.add(origin);
  const span = model.lastStep - model.firstStep + 1;
  return [...columns].sort((a, b) => a - b).map((column) => model.firstStep + Math.ceil((column * span) / model.columns));
}

/** Whether a run has anything recorded at a step. */
export function isRecordedAt(model: GridModel, run: RunCells, step: number): boolean {
  const column = columnOfStep(step, model.columns, model.firstStep, model.lastStep);
  if (column < 0) return false;
  for (let row = 0; row < run.cells.rows; row++) if (run.cells.marks[row * run.cells.columns + column] !== nothing) return true;
  return false;
}
