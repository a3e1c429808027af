// Feature maps out of tensors.
import { expect, test } from "vitest";
import { featureMaps, mapQuestion } from "./feature_maps";

test("channels of the last axis become pictures", () => {
  // [2 rows, 1 column, 2 channels]
  const set = featureMaps([1, 10, 2, 20], [2, 1, 2]);
  expect([set.rows, set.columns, set.maps.length]).toEqual([2, 1, 2]);
  expect(set.maps.map((map) => [map.at(0, 0), map.at(1, 0)])).toEqual([[1, 2], [10, 20]]);
  expect([set.min, set.max]).toEqual([1, 20]);
});

test("channels of the first axis become pictures, counted on from a slice", () => {
  const set = featureMaps([1, 2, 3, 4, 5, 6], [2, 1, 3], "first", 8);
  expect([set.rows, set.columns]).toEqual([1, 3]);
  expect(set.maps.map((map) => [map.channel, map.at(0, 2)])).toEqual([[8, 3], [9, 6]]);
});

test("a channel of zeros is told from one with a NaN", () => {
  const set = featureMaps([0, NaN, 0, 0, 0, Infinity], [2, 1, 3]);
  expect(set.maps.map((map) => map.zero)).toEqual([true, false, false]);
  expect([set.zeroMaps, set.nan, set.inf]).toEqual([1, 1, 1]);
  expect([set.min, set.max]).toEqual([0, 0]);
});

test("without a finite value there are no ends", () => {
  expect(featureMaps([NaN], [1, 1, 1]).min).toBeNaN();
});

test("one sample of a batch is asked for, with as many channels as are shown", () => {
  expect(mapQuestion([32, 12, 12, 16], 3, "last", 64)).toMatchObject({ slice: "3,:,:,:", channels: 16, shown: 16, samples: 32, word: "ch" });
  expect(mapQuestion([32, 12, 12, 512], 99, "last", 64)).toMatchObject({ slice: "31,:,:,0:64", channels: 512, shown: 64 });
  expect(mapQuestion([4, 512, 7, 7], 0, "first", 64)).toMatchObject({ slice: "0,0:64,:,:", channels: 512, axis: "first" });
});

test("large pictures are thinned, and it is said by how much", () => {
  expect(mapQuestion([1, 1024, 600, 3], 0, "last", 64)).toMatchObject({ slice: "0,::4,::4,:", stride: 4 });
});

test("rank 3 gives a picture of each sample, other ranks and empty tensors give none", () => {
  expect(mapQuestion([8, 20, 30], 0, "last", 4)).toMatchObject({ slice: "0:4,:,:", word: "sample", channels: 8, shown: 4, axis: "first" });
  expect(mapQuestion([8, 20], 0, "last", 64)).toBeNull();
  expect(mapQuestion([8, 0, 3, 3], 0, "last", 64)).toBeNull();
});
