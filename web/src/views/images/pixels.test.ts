// Pixels under the pointer.
import { expect, test } from "vitest";
import { pixelColor, pixelUnder, pixelWords } from "./pixels";

const box = { left: 10, top: 20, width: 100, height: 50 };

test("a point finds its pixel whatever the size on the screen", () => {
  expect(pixelUnder(box, 10, 5, 10, 20)).toEqual({ x: 0, y: 0 });
  expect(pixelUnder(box, 10, 5, 109.9, 69.9)).toEqual({ x: 9, y: 4 });
  expect(pixelUnder(box, 200, 100, 60, 45)).toEqual({ x: 100, y: 50 });
});

test("there is no pixel outside", () => {
  expect(pixelUnder(box, 10, 5, 9, 30)).toBeNull();
  expect(pixelUnder(box, 10, 5, 110, 30)).toBeNull();
});

test("grey is one number, colours are three, opacity is said where it is not full", () => {
  const pixel = { x: 0, y: 0, red: 7, green: 7, blue: 7, alpha: 255 };
  expect(pixelWords(pixel)).toBe("7");
  expect(pixelWords({ ...pixel, blue: 9 })).toBe("7, 7, 9");
  expect(pixelWords({ ...pixel, alpha: 3 })).toBe("7, opacity 3");
  expect(pixelColor({ ...pixel, blue: 255 })).toBe("#0707ff");
});
