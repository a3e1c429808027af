// Decoders: what the page makes of the server's bytes is what was recorded.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Columns, decodeColumns } from "../src/api/columns";
import { decodeNpy } from "../src/api/npy";
import { Server } from "./server";
import { truthOf } from "./truth";

const run = "sgd-noclip";
let server: Server;
beforeAll(async () => {
  server = await Server.start(inject("runs"), "--no-token");
  await server.loaded();
});
afterAll(async () => server?.stop());

async function bytesOf(route: string): Promise<ArrayBuffer> {
  const answer = await fetch(`${server.origin}/api/v1/${route}`);
  expect(answer.status, route).toBe(200);
  return answer.arrayBuffer();
}

type Series = Columns<{ series: Record<string, number>[] }>;

test("scalars: every point of every tag, NaN and Inf once more apart", async () => {
  const tags = Object.entries(truthOf(run).scalars);
  expect(tags.length).toBeGreaterThan(5);
  let notFinite = 0;
  for (const [tag, { step, value }] of tags) {
    const query = `scalars?run=${run}&tag=${encodeURIComponent(tag)}&max_points=0`;
    const columns: Series = decodeColumns(await bytesOf(query));
    const row = columns.meta.series[0] ?? {};
    const list = (name: string) => Array.from(columns.column(row[name] ?? -1));
    const recorded = value.map(Number);
    const bad = recorded.flatMap((each, i) => (Number.isFinite(each) ? [] : [i]));
    expect(list("step"), tag).toEqual(step);
    expect(list("value"), tag).toEqual(recorded);
    expect(list("bad_step"), tag).toEqual(bad.map((i) => step[i]));
    expect(list("bad_value"), tag).toEqual(bad.map((i) => recorded[i]));
    notFinite += bad.length;
  }
  expect(notFinite).toBeGreaterThan(0);
});

test("statistics: every row, as JSON says it too", async () => {
  const [tag, truth] = Object.entries(truthOf(run).stats)[0] ?? [];
  if (!tag || !truth) throw new Error("no statistics were recorded");
  const columns: Series = decodeColumns(await bytesOf(`stats?run=${run}&tag=${encodeURIComponent(tag)}&max_points=0`));
  const row = columns.meta.series[0] ?? {};
  expect(Array.from(columns.column(row["step"] ?? -1))).toEqual(truth.step);
  for (const name of ["count", "zeros", "nan", "min", "max", "mean", "std", "l2"] as const) {
    expect(Array.from(columns.column(row[name] ?? -1)), name).toEqual(truth[name].map(Number));
  }
});

test("the network: a value and a mark for each layer and column", async () => {
  const columns: Columns<{ columns: number; layers: unknown[]; runs: { value: number; mark: number }[] }> = decodeColumns(
    await bytesOf(`network?run=${run}&of=activations&stat=rms&columns=40`),
  );
  const cells = columns.meta.columns * columns.meta.layers.length;
  const { value, mark } = columns.meta.runs[0] ?? { value: -1, mark: -1 };
  expect([columns.column(value).length, columns.column(mark).length]).toEqual([cells, cells]);
  expect(new Set(columns.column(mark))).toContain(2); // this run ends in NaN
});

test("tensors: the .npy that is sent has the numbers that JSON has", async () => {
  const { tags } = await server.ask<{ tags: { tag: string; kind: string; last_step: number; runs: unknown }[] }>("tags?kind=tensors");
  let compared = 0;
  for (const { tag, last_step } of tags) {
    for (const name of ["media", "adam-1e-3"]) {
      const query = `tensor?run=${name}&tag=${encodeURIComponent(tag)}&step=${last_step}`;
      const answer = await fetch(`${server.origin}/api/v1/${query}`);
      if (answer.status !== 200) continue; // the other run has it
      const array = decodeNpy(await answer.arrayBuffer(), answer.headers.get("X-Tensortap-Dtype"));
      const json = await server.ask<{ dtype: string; shape: number[]; values: (number | string)[] | null }>(`${query}&format=json`);
      expect([array.dtype, array.shape], query).toEqual([json.dtype, json.shape]);
      if (json.values === null || array.complex) continue;
      // JSON writes as many digits as a float32 needs.
      const exact = array.data instanceof Float32Array ? Math.fround : (each: number) => each;
      expect(Array.from(array.data), query).toEqual(json.values.map((each) => exact(Number(each))));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(5);
});
