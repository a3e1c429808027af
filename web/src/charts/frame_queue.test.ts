// Frames: no frame is too long, nothing is drawn twice.
import { expect, it } from "vitest";
import { FrameQueue } from "./frame_queue";

function clockwork() {
  const frames: (() => void)[] = [];
  let time = 0;
  const queue = new FrameQueue((work) => frames.push(work), () => time);
  const frame = (): void => frames.shift()?.();
  return { queue, frame, frames, pass: (ms: number) => (time += ms) };
}

it("ends a frame when its time is used up, and goes on in the next", () => {
  const { queue, frame, pass } = clockwork();
  const done: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    queue.add({}, () => {
      done.push(i);
      pass(6);
    });
  }
  frame();
  expect(done).toEqual([0, 1]);
  frame();
  frame();
  expect(done).toEqual([0, 1, 2, 3, 4]);
});
it("draws only the newest of an owner, and asks for one frame only", () => {
  const { queue, frame, frames } = clockwork();
  const owner = {};
  const done: string[] = [];
  queue.add(owner, () => done.push("old"));
  queue.add(owner, () => done.push("new"));
  expect(frames).toHaveLength(1);
  frame();
  expect(done).toEqual(["new"]);
  expect(frames).toHaveLength(0);
});
it("forgets the work of an owner that is gone", () => {
  const { queue, frame } = clockwork();
  const owner = {};
  queue.add(owner, () => expect.unreachable());
  queue.drop(owner);
  frame();
});
it("draws the others when one fails", () => {
  const { queue, frame } = clockwork();
  const done: string[] = [];
  queue.add({}, () => {
    throw new Error("broken");
  });
  queue.add({}, () => done.push("whole"));
  expect(frame).toThrow("broken");
  frame();
  expect(done).toEqual(["whole"]);
});
