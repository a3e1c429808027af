// From the server's grid to what the Network view draws: rows, cells per run, readings at a step.
import type { LayerInfo, NetworkGrid } from "$api/types";
import { columnOfStep, gather, groupRows, hold, nothing, readCell, stepsOfColumn, value, type CellReading, type HeldCells, type Row, type StepColumns } from "$charts/network_grid";

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
  readonly steps: StepColumns;
}

export function shapeText(shape: readonly (number | null)[] | null): string {
  return shape === null ? "" : shape.map((size) => size ?? "?").join("×");
}

/** The grid with a row for every layer of the graph, so that rows stay where they are when another part is shown. */
export function withAllLayers(grid: NetworkGrid, graph: readonly LayerInfo[]): NetworkGrid {
  const places = new Map(grid.layers.map(({ path }, i) => [path, i] as const));
  const known = new Set(graph.map(({ path }) => path));
  if (graph.length === 0 || grid.layers.some(({ path }) => !known.has(path))) return grid;
  const from = graph.map(({ path }) => places.get(path) ?? -1);
  const spread = (cells: ArrayLike<number>, empty: number): Float32Array => {
    const out = new Float32Array(graph.length * grid.columns).fill(empty);
    from.forEach((row, to) => {
      for (let c = 0; row >= 0 && c < grid.columns; c++) out[to * grid.columns + c] = cells[row * grid.columns + c] ?? empty;
    });
    return out;
  };
  return {
    ...grid,
    layers: graph.map(({ path, output_shape }) => ({ path, shape: output_shape ?? null })),
    runs: grid.runs.map((run) => ({
      ...run,
      value: spread(run.value, Number.NaN),
      mark: Uint8Array.from(spread(run.mark, nothing)),
      tags: from.map((row) => (row < 0 ? null : (run.tags[row] ?? null))),
    })),
  };
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
    steps: { first: grid.firstStep, perColumn: grid.columnSteps || 1, columns: grid.columns },
    runs: grid.runs.map((run) => {
      const all = hold({
        rows: grid.layers.length,
        columns: grid.columns,
        values: Float32Array.from(run.value),
        marks: grid.stat === "nan" ? sharesAsValues(run.value, run.mark) : Uint8Array.from(run.mark),
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

// The share of NaN is itself a number: it is coloured, not hatched.
function sharesAsValues(shares: ArrayLike<number>, marks: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(marks, (mark, i) => (mark !== nothing && Number.isFinite(shares[i]) ? value : mark));
}

export function inBlock(path: string, block: string): boolean {
  return path === block || (path.startsWith(block) && /^[/_.]/.test(path.slice(block.length)));
}

/** What a run has in a row at a step. */
export function readingAt(model: GridModel, run: RunCells, row: number, step: number): CellReading {
  return readCell(run.cells, row, columnOfStep(step, model.steps), model.steps);
}

/** Steps at which any of the runs has something recorded: the first step of each such column. */
export function recordedSteps(model: GridModel): number[] {
  const columns = new Set<number>();
  for (const run of model.runs) for (const origin of run.cells.origins) if (origin >= 0) columns.add(origin);
  return [...columns].sort((a, b) => a - b).map((column) => stepsOfColumn(column, model.steps).first);
}

/** Whether a run has anything recorded at a step. */
export function isRecordedAt(model: GridModel, run: RunCells, step: number): boolean {
  const column = columnOfStep(step, model.steps);
  if (column < 0) return false;
  for (let row = 0; row < run.cells.rows; row++) if (run.cells.marks[row * run.cells.columns + column] !== nothing) return true;
  return false;
}

/** "step 40" where one capture lies in the column, "steps 40 to 79" where several may. */
export function stepWords(within: { first: number; last: number }, captured: readonly number[] | undefined, write: (step: number) => string): { words: string; several: boolean } {
  const { first, last } = within;
  const inside = captured?.filter((step) => step >= first && step <= last) ?? [];
  const only = inside.length === 1 ? inside[0] : first === last ? first : undefined;
  return only === undefined ? { words: `steps ${write(first)} to ${write(last)}`, several: true } : { words: `step ${write(only)}`, several: false };
}
