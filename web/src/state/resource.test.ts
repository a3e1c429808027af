// A question that stays answered: asked again, aborted, retried, and never overtaken by an older answer.
// @vitest-environment jsdom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tellChange } from "./live.svelte";
import { type Resource, type ResourceOptions } from "./resource.svelte";
import { mountResource } from "./resource_testutil.svelte";

interface Asked {
  question: unknown;
  signal: AbortSignal;
  answer: (value: string) => void;
  fail: (error: Error) => void;
}

let asked: Asked[];
let undo: () => void;
let made: { resource: Resource<string>; ask: (question: unknown) => void };

function begin(question: unknown, options?: ResourceOptions): void {
  asked = [];
  const fetcher = (q: unknown, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => asked.push({ question: q, signal, answer: resolve, fail: reject }));
  const mounted = mountResource(question, fetcher, options);
  made = mounted;
  undo = mounted.undo;
  flushSync();
}

const settle = () => vi.advanceTimersByTimeAsync(0);
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  undo();
  vi.useRealTimers();
});

describe("resource", () => {
  it("asks, and gives the answer", async () => {
    begin({ tag: "loss" });
    expect(asked.map((each) => each.question)).toEqual([{ tag: "loss" }]);
    expect([made.resource.loading, made.resource.data]).toEqual([true, undefined]);
    asked[0]?.answer("curve");
    await settle();
    expect([made.resource.loading, made.resource.data]).toEqual([false, "curve"]);
  });

  it("does not ask the same question twice", () => {
    begin({ tag: "loss" });
    made.ask({ tag: "loss" });
    flushSync();
    expect(asked.length).toBe(1);
  });

  it("keeps the old answer while the new one loads, and aborts the older question", async () => {
    begin("one");
    asked[0]?.answer("first");
    await settle();
    made.ask("two");
    flushSync();
    made.ask("three");
    flushSync();
    expect([made.resource.data, made.resource.loading]).toEqual(["first", true]);
    expect(asked[1]?.signal.aborted).toBe(true);
    asked[2]?.answer("third");
    asked[1]?.answer("second, too late");
    await settle();
    expect(made.resource.data).toBe("third");
  });

  it("asks nothing for null, and forgets", async () => {
    begin("one");
    asked[0]?.answer("first");
    await settle();
    made.ask(null);
    flushSync();
    await settle();
    expect([asked.length, made.resource.data, made.resource.loading]).toEqual([1, undefined, false]);
  });

  it("says why it failed, and tries again when asked to", async () => {
    begin("one");
    asked[0]?.fail(new Error("gone"));
    await settle();
    expect(made.resource.error?.message).toBe("gone");
    made.resource.retry();
    flushSync();
    asked[1]?.answer("back");
    await settle();
    expect([made.resource.error, made.resource.data]).toEqual([undefined, "back"]);
  });

  it("asks again when one of its runs grew, at most once a second", async () => {
    begin("one", { runs: () => ["a"] });
    asked[0]?.answer("first");
    await settle();
    tellChange({ revision: 2, runs: ["b"], catalog: false });
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked.length).toBe(1);
    for (let i = 0; i < 50; i++) {
      tellChange({ revision: 3 + i, runs: ["a"], catalog: false });
      await vi.advanceTimersByTimeAsync(50);
      asked.at(-1)?.answer("newer");
    }
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it("waits for an answer that is on its way before it asks for a newer one", async () => {
    begin("one", { runs: () => ["a"] });
    tellChange({ revision: 2, runs: ["a"], catalog: false });
    await vi.advanceTimersByTimeAsync(5000);
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, false]);
    asked[0]?.answer("slow");
    await settle();
    expect([asked.length, made.resource.data]).toEqual([2, "slow"]);
  });

  it("aborts when its component goes", () => {
    begin("one", { runs: () => ["a"] });
    undo();
    expect(asked[0]?.signal.aborted).toBe(true);
  });
});
