// What an empty view says.
import { expect, test } from "vitest";
import { elsewhere } from "./elsewhere";

test("runs that are not ticked are counted once each", () => {
  expect(elsewhere([{ runs: ["a", "b"] }, { runs: ["b"] }])).toBe("2 runs that are not ticked have some.");
  expect(elsewhere([{ runs: ["a"] }])).toBe("1 run that is not ticked has some.");
});

test("without any the page fills by itself", () => {
  expect(elsewhere([])).toContain("fills by itself");
});
