// Images, Tensors, Text, Audio, HParams and Files: what the screen says against what was recorded.
import { expect, test } from "vitest";
import { truthOf } from "./truth";
import { visitRuns } from "./visit";

const visit = visitRuns("#/images");
const hash = () => new URL(visit.visitor.page.url()).hash;
const api = (route: string, parameters: Record<string, string | number>) =>
  `${visit.server.origin}/api/v1/${route}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`;

test("pictures have their recorded size, and their pixels are the recorded ones", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/images?filter=photo/wide");
  const picture = page.getByRole("img", { name: /photo\/wide/ }).first();
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([128, 96]);
  const pixel = await picture.evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    return [...(context?.getImageData(30, 20, 1, 1).data ?? [])].slice(0, 3);
  });
  // As tests/e2e/media.py draws it at the last step, 40.
  const [x, y] = [30 / 96, 20 / 96];
  const drawn = [Math.sin(8 * x + 40 / 9), Math.cos(7 * y - 40 / 7), x * y].map((value) => Math.floor((value / 2 + 0.5) * 255));
  expect(pixel).toEqual(drawn);
});

test("a batch shows all its pictures, the step bar goes back, and a click enlarges", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/images?filter=photo/batch");
  await expect.poll(() => page.getByRole("img", { name: /photo\/batch/ }).count()).toBe(5);
  await page.keyboard.press("[");
  await expect.poll(hash).toContain("step=30");
  await page.getByRole("button", { name: /^Enlarge .*photo\/batch/ }).first().click();
  await page.getByRole("dialog").waitFor();
  await visit.visitor.takePicture("images-enlarged");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("feature maps of all runs stand side by side", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/images?filter=activations/conv2a$");
  for (const run of ["adam-1e-3", "adam-warmup"]) await page.getByRole("img", { name: new RegExp(`Feature maps of activations/conv2a, ${run},`) }).waitFor();
  await visit.visitor.takePicture("images-feature-maps");
});

test("a slice of a tensor shows the recorded numbers, and the address keeps the slice", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/tensors?run=media&tag=rank/3");
  await page.getByRole("button", { name: "Numbers", exact: true }).click();
  const table = page.getByRole("region", { name: /rank\/3 of media, step 40/ });
  await table.waitFor();
  // np.arange(24).reshape(2, 3, 4) + 40, its first plane.
  const cells = async () => (await table.locator(".row .cell").allTextContents()).map(Number);
  expect(await cells()).toEqual(Array.from({ length: 12 }, (_, i) => i + 40));
  await page.getByRole("spinbutton", { name: "Index of axis 0" }).fill("1");
  await page.keyboard.press("Enter");
  await expect.poll(cells).toEqual(Array.from({ length: 12 }, (_, i) => i + 52));
  await expect.poll(hash).toMatch(/slice=1,/);
  await page.reload();
  await visit.visitor.settled();
  await expect.poll(cells).toEqual(Array.from({ length: 12 }, (_, i) => i + 52));
  await visit.visitor.takePicture("tensors-numbers");
});

test("statistics of a slice count its NaN and Inf", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/tensors?run=media&tag=wide");
  const fact = (name: string) => page.getByRole("main").locator("dl div").filter({ has: page.getByText(name, { exact: true }) }).locator("dd");
  await expect.poll(() => fact("values").innerText()).toBe("120\u202f000");
  expect(await fact("NaN").innerText()).toBe("1");
  expect(await fact("+Inf, −Inf").innerText()).toBe("1, 1");
  await visit.visitor.takePicture("tensors-wide");
});

test("every dtype and rank opens", async () => {
  const { page } = visit.visitor;
  const tags = (truthOf("media").tags["tensors"] ?? []).filter((tag) => /^(dtype|rank)\/|^empty$/.test(tag));
  expect(tags.length).toBeGreaterThan(16);
  for (const tag of tags) {
    await visit.visitor.go(`#/tensors?run=media&tag=${encodeURIComponent(tag)}`);
    await visit.card(tag).getByText(/of 5 steps/).waitFor();
    expect(await page.getByRole("alert").count(), tag).toBe(0);
    expect(await visit.card(tag).getByText(/could not be read/).count(), tag).toBe(0);
  }
});

test("Markdown is shown as Markdown, and nothing in it runs", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/text");
  const note = page.getByRole("article", { name: "Step 40" }).filter({ hasText: "Notes on this run" });
  await note.getByRole("heading", { name: "Notes on this run" }).waitFor();
  expect(await note.getByRole("table").getByRole("cell", { name: "dense_1" }).count()).toBe(1);
  expect(await note.locator("strong").first().innerText()).toBe("drawn digits");
  const link = note.getByRole("link", { name: "link" });
  expect(await link.getAttribute("rel")).toContain("noopener");
  expect(await page.evaluate(() => (window as { __hostile?: unknown }).__hostile)).toBeUndefined();
  expect(await note.locator("script, img").count()).toBe(0);
});

test("a clip can be played, and its wave form says how long it is", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/audio");
  await page.getByRole("img", { name: /Wave form of tone, media, step 40: 1\.0\s?s, 8\s000 Hz, 1 channel/ }).waitFor();
  const player = page.locator('audio[aria-label="tone of media, step 40, clip 0"]');
  const seconds = await player.evaluate(
    (audio: HTMLAudioElement) =>
      new Promise<number>((resolve, reject) => {
        audio.onloadedmetadata = () => resolve(audio.duration);
        audio.onerror = () => reject(new Error(audio.error?.message));
        audio.preload = "metadata";
        audio.load();
      }),
  );
  expect(seconds).toBeCloseTo(1, 3);
});

test("hyperparameters and results of all runs stand in one table", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/hparams");
  for (const run of ["adam-1e-3", "sgd-noclip"]) {
    const row = page.getByRole("main").getByRole("row").filter({ hasText: run });
    const words = await row.first().innerText();
    const hparams = truthOf(run).hparams;
    expect(words).toContain(String(hparams["optimizer"]));
    expect(words.replace(/\u202f/g, "")).toContain(String(hparams["peak_rate"]));
  }
});

test("the files view names the damaged file, the place in it, and the tail that was cut", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/files?show=problems");
  const { files } = await visit.server.ask<{ files: { path: string; run: string; damage: { offset: number; bytes: number }[]; tail: { state: string } }[] }>("health");
  const damaged = files.find((file) => file.run === "damaged" && file.damage.length > 0);
  const place = damaged?.damage[0];
  if (!damaged || !place) throw new Error("the API knows of no damage");
  await page.getByRole("button", { name: damaged.path }).click();
  const digits = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  await page.getByRole("cell", { name: digits(place.offset), exact: true }).waitFor();
  await page.getByRole("cell", { name: digits(place.bytes), exact: true }).first().waitFor();
  await page.getByText(/tensortap recover/).first().waitFor();
  expect(await page.getByRole("main").getByRole("row").filter({ hasText: "torn/" }).count()).toBeGreaterThan(0);
  await visit.visitor.takePicture("files-problems");
});

test("what the page links to for saving is what was recorded", async () => {
  const answer = await fetch(api("tensor", { run: "media", tag: "rank/2", step: 40, format: "json" }));
  const { values, shape } = (await answer.json()) as { values: number[]; shape: number[] };
  expect(shape).toEqual([2, 3]);
  expect(values).toEqual([40, 41, 42, 43, 44, 45]);
});
