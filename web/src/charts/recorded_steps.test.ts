// Which recorded step is shown.
import { expect, test } from "vitest";
import { heldIndex, placeWords, sameStep, shownIndex, stepWords } from "./recorded_steps";

const steps = [0, 10, 20, 20, 30];

test("the last step at or before the current one is held", () => {
  expect(heldIndex(steps, 9)).toBe(0);
  expect(heldIndex(steps, 10)).toBe(1);
  expect(heldIndex(steps, 25)).toBe(3);
  expect(heldIndex(steps, 1e9)).toBe(4);
});

test("before the first step nothing is held, but the first is shown", () => {
  expect(heldIndex([5, 6], 4)).toBe(-1);
  expect(shownIndex([5, 6], 4)).toBe(0);
  expect(shownIndex([], 4)).toBe(-1);
});

test("words say when the step is another than the page's", () => {
  expect(stepWords(steps, 1, 10)).toBe("step 10");
  expect(stepWords(steps, 1, 15)).toBe("step 10, the last before 15");
  expect(stepWords([5], 0, 2)).toBe("step 5, the first recorded");
  expect(stepWords(steps, 4, null)).toBe("step 30");
  expect(stepWords([], -1, 2)).toBe("not recorded");
});

test("captures that share a step are found together", () => {
  expect(sameStep(steps, 3)).toEqual({ first: 2, last: 3 });
  expect(sameStep(steps, 4)).toEqual({ first: 4, last: 4 });
});

test("the place among the steps counts each step once", () => {
  expect(placeWords(steps, 3)).toBe("3 of 4 steps");
  expect(placeWords(steps, 2)).toBe("3 of 4 steps");
  expect(placeWords([7], 0)).toBe("1 of 1 step");
});
