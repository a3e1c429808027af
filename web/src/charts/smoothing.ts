// Exponential smoothing with bias correction, as users of TensorBoard know it.

// `weight` 0 changes nothing; 0.9 forgets a tenth with each point. NaN and Inf stay where they are and are not smeared.
export function smooth(values: ArrayLike<number>, weight: number): Float64Array {
  const out = new Float64Array(values.length);
  const first = firstFinite(values);
  const constant = isConstant(values, first);
  let mean = 0;
  let correction = 1;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? NaN;
    if (!Number.isFinite(value) || weight <= 0 || constant) {
      out[i] = value;
      continue;
    }
    mean = mean * weight + (1 - weight) * value;
    correction *= weight;
    out[i] = mean / (1 - correction);
  }
  return out;
}

function firstFinite(values: ArrayLike<number>): number {
  for (let i = 0; i < values.length; i += 1) if (Number.isFinite(values[i])) return values[i] ?? NaN;
  return NaN;
}

// Rounding would give a constant curve false wiggles.
function isConstant(values: ArrayLike<number>, first: number): boolean {
  for (let i = 0; i < values.length; i += 1) if (Number.isFinite(values[i]) && values[i] !== first) return false;
  return true;
}
