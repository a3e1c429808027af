// A fetched slice as a matrix: its values by row and column, their difference to another one, and their words.
import { MINUS, number } from "$charts/numbers";
import type { SlicePlan } from "./slice_model";

export type ComplexPart = "abs" | "real" | "imag";

interface FetchedArray {
  dtype: string;
  shape: readonly number[];
  data: ArrayLike<number>;
  complex: boolean;
  rounded: boolean;
}

export interface Block {
  dtype: string;
  rows: number;
  columns: number;
  values: ArrayLike<number>;
  /** Some 64-bit integers are shown rounded. */
  rounded: boolean;
  at(row: number, column: number): number;
}

function partOf(array: FetchedArray, part: ComplexPart): ArrayLike<number> {
  if (!array.complex) return array.data;
  const { data } = array;
  return Float64Array.from({ length: data.length / 2 }, (_, i) => {
    const real = data[2 * i] ?? NaN;
    const imaginary = data[2 * i + 1] ?? NaN;
    return part === "real" ? real : part === "imag" ? imaginary : Math.hypot(real, imaginary);
  });
}

export function blockOf(array: FetchedArray, plan: SlicePlan, part: ComplexPart = "abs"): Block {
  const values = partOf(array, part);
  const rows = plan.rows.length;
  const columns = plan.columns.length;
  const at = plan.flip
    ? (row: number, column: number) => (values[column * rows + row] ?? NaN) as number
    : (row: number, column: number) => (values[row * columns + column] ?? NaN) as number;
  return { dtype: array.dtype, rows, columns, values, rounded: array.rounded, at };
}

// `a` minus `b`, entry by entry. Equal infinities have no difference: they count as 0.
export function differenceOf(a: Block, b: Block): Block {
  const values = Float64Array.from({ length: a.values.length }, (_, i) => {
    const [x, y] = [a.values[i] ?? NaN, b.values[i] ?? NaN];
    return x === y ? 0 : x - y;
  });
  const like = (row: number, column: number) => {
    const [x, y] = [a.at(row, column), b.at(row, column)];
    return x === y ? 0 : x - y;
  };
  return { dtype: "float64", rows: a.rows, columns: a.columns, values, rounded: a.rounded || b.rounded, at: like };
}

const signed = (text: string): string => text.replace(/^-/, MINUS).replace("e-", `e${MINUS}`).replace("e+", "e");

// A value with all the digits that its dtype has.
export function exactWords(value: number, dtype: string): string {
  if (!Number.isFinite(value)) return number(value);
  if (dtype === "bool") return value === 0 ? "False" : "True";
  if (/int/.test(dtype) || Number.isInteger(value)) return signed(String(value));
  if (dtype === "float64" || dtype === "complex128") return signed(String(value));
  // Nine digits tell every float32 from its neighbours; narrower ones need fewer.
  const digits = dtype === "float32" || dtype.startsWith("complex") ? 9 : dtype === "float16" ? 5 : 4;
  return signed(String(Number(value.toPrecision(digits))));
}

// A value for a cell of a table.
export function cellWords(value: number, dtype: string): string {
  if (dtype === "bool" && Number.isFinite(value)) return value === 0 ? "False" : "True";
  if (/int/.test(dtype) && Math.abs(value) < 1e9) return signed(String(value));
  return number(value);
}

export const shapeWords = (shape: readonly number[]): string => (shape.length === 0 ? "scalar" : shape.join(" × "));
