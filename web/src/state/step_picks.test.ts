// A double click does not leave the step somewhere else.
import { beforeEach, expect, it, vi } from "vitest";

const step = vi.hoisted(() => {
  const state = { chosen: null as number | null, set: (at: number | null) => void (state.chosen = at) };
  return state;
});
vi.mock("./step.svelte", () => ({ step }));
import { stepPicks } from "./step_picks";

let time = 0;
const picks = stepPicks(() => time);
beforeEach(() => {
  time += 10_000;
  step.set(40);
});

it("sets the step at once", () => {
  picks.pick(90);
  expect(step.chosen).toBe(90);
});
it("takes both clicks of a double click back", () => {
  picks.pick(90);
  time += 150;
  picks.pick(91);
  time += 5;
  picks.takeBack();
  expect(step.chosen).toBe(40);
});
it("leaves an earlier choice alone", () => {
  picks.pick(90);
  time += 5_000;
  picks.takeBack();
  expect(step.chosen).toBe(90);
});
