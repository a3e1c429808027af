// The picture of all feature maps.
import { expect, test } from "vitest";
import { pictureLayout } from "./feature_maps_picture";

test("values become whole pixels, and rows are filled before a new one begins", () => {
  const layout = pictureLayout(12, 12, 16);
  expect([layout.times, layout.tileWidth, layout.across]).toEqual([8, 96, 11]);
  expect(layout.height).toBe(8 + 2 * (96 + 16 + 8));
});

test("a large picture is not reduced", () => {
  expect(pictureLayout(256, 256, 3)).toMatchObject({ times: 1, tileWidth: 256, across: 3, width: 8 + 3 * 264 });
});

test("no tile is no reason to divide by 0", () => {
  expect(pictureLayout(0, 0, 0)).toMatchObject({ across: 1, height: 8 });
});
