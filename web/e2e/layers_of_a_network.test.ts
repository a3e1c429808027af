// Network, Distributions and Layers: numbers of pictures against the statistics that were recorded.
import { expect, test } from "vitest";
import { number } from "../src/charts/numbers";
import { statAt, truthOf } from "./truth";
import { visitRuns } from "./visit";

const visit = visitRuns("#/network");
const trained = ["adam-1e-3", "adam-warmup", "sgd-3e-2", "sgd-noclip"];
const layers = ["conv1a", "conv1b", "pool1", "conv2a", "conv2b", "pool2", "conv3a", "conv3b", "pool3", "flatten", "dense_1", "dropout", "dense_2", "logits"];
const hash = () => new URL(visit.visitor.page.url()).hash;

test("all layers are rows in the order of the network, and each run has a pane", async () => {
  const { page } = visit.visitor;
  const rows = await page.getByRole("main").locator('a[href^="#/layers"]').evaluateAll((links) => links.map((link) => link.getAttribute("title")));
  expect(rows).toEqual(layers);
  for (const run of trained) {
    await page.getByRole("img", { name: new RegExp(`of activations of ${run}: 14 rows`) }).waitFor();
  }
});

test("the value under the pointer is the recorded root mean square of that layer and step", async () => {
  const { page } = visit.visitor;
  const pane = page.getByRole("img", { name: /of activations of adam-1e-3:/ });
  const box = await pane.boundingBox();
  if (!box) throw new Error("no pane");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 8);
  const tip = page.locator(".tip").filter({ hasText: "activations/conv1a" });
  await tip.waitFor();
  const words = (await tip.innerText()).replace(/\u202f/g, "");
  const step = Number(/step (\d+)/.exec(words)?.[1]);
  for (const run of trained) {
    const rms = statAt(run, "activations/conv1a", "l2", step) / Math.sqrt(statAt(run, "activations/conv1a", "count", step));
    const cell = await tip.getByRole("row").filter({ hasText: run }).getByRole("cell").last().innerText();
    expect(cell.trim(), `${run} at step ${step}`).toBe(number(rms));
  }
  await page.mouse.move(2, 2);
});

test("gradients of the exploded run are marked as NaN, and the choice is in the address", async () => {
  const { page } = visit.visitor;
  await page.getByRole("button", { name: "Gradients", exact: true }).click();
  await visit.visitor.settled();
  await expect.poll(hash).toContain("of=gradients");
  const pane = page.getByRole("img", { name: /of gradients of sgd-noclip:/ });
  const box = await pane.boundingBox();
  if (!box) throw new Error("no pane");
  await page.mouse.move(box.x + box.width * 0.9, box.y + 8);
  const tip = page.locator(".tip").filter({ hasText: "gradients/conv1a/kernel" });
  await tip.waitFor();
  expect(await tip.getByRole("row").filter({ hasText: "sgd-noclip" }).getByRole("cell").last().innerText()).toContain("NaN");
  expect(await tip.getByRole("row").filter({ hasText: "adam-1e-3" }).getByRole("cell").last().innerText()).not.toContain("NaN");
  await visit.visitor.takePicture("network-gradients");
  await page.mouse.move(2, 2);
  await page.reload();
  await visit.visitor.settled();
  await page.getByRole("img", { name: /of gradients of sgd-noclip:/ }).waitFor();
});

test("a click on a layer's name opens that layer", async () => {
  const { page } = visit.visitor;
  await page.getByRole("main").locator('a[title="dense_2"]').click();
  await visit.visitor.settled();
  expect(hash()).toMatch(/^#\/layers\?.*layer=dense_2/);
  await page.getByText(/1\u202f176 parameters/).waitFor();
});

test("J and K go from layer to layer", async () => {
  const { page } = visit.visitor;
  await page.keyboard.press("j");
  await expect.poll(hash).toContain("layer=logits");
  await page.keyboard.press("k");
  await expect.poll(hash).toContain("layer=dense_2");
});

test("the curves of a layer have the statistics of its tensors at the cursor", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/layers?layer=conv2a");
  const chart = page.getByRole("application", { name: /of conv2a over steps/ }).first();
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  const title = /^(.+?) \(/.exec((await chart.getAttribute("aria-label")) ?? "")?.[1];
  const spoken = chart.locator("[aria-live]");
  await expect.poll(() => spoken.textContent()).toMatch(/adam-1e-3: /);
  const words = (await spoken.textContent()) ?? "";
  const step = Number(/^\D*(\d+)/.exec(words.replace(/\u202f/g, ""))?.[1]);
  const value = /adam-1e-3: ([^;,]+)/.exec(words)?.[1];
  const share = statAt("adam-1e-3", "activations/conv2a", "zeros", step) / statAt("adam-1e-3", "activations/conv2a", "count", step);
  expect(title?.toLowerCase()).toContain("zero");
  expect(value).toBe(number(share));
});

test("feature maps of a layer are drawn from its raw values, at the step of the step bar", async () => {
  const { page } = visit.visitor;
  await page.getByRole("img", { name: /activations\/conv2a of adam-1e-3, step 225: 12 tiles/ }).first().waitFor();
  const slider = page.getByRole("slider", { name: "Step", exact: true });
  await slider.focus();
  await page.keyboard.press("Home");
  await page.getByRole("img", { name: /activations\/conv2a of adam-1e-3, step 0: 12 tiles/ }).first().waitFor();
  await expect.poll(hash).toContain("step=0");
  await visit.visitor.takePicture("layers-step-0");
  await page.keyboard.press("End");
  await expect.poll(hash).not.toContain("step=");
});

test("a distribution says the least, the greatest and the middle value of the last step", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/distributions?tag=weights/conv1a/kernel");
  const steps = truthOf("adam-1e-3").stats["weights/conv1a/kernel"]?.step ?? [];
  const last = steps.at(-1) ?? 0;
  const label = (await page.getByRole("img", { name: /adam-1e-3 at step/ }).first().getAttribute("aria-label")) ?? "";
  const least = number(statAt("adam-1e-3", "weights/conv1a/kernel", "min", last));
  const greatest = number(statAt("adam-1e-3", "weights/conv1a/kernel", "max", last));
  expect(label).toContain(`adam-1e-3 at step ${last}: ${least} to ${greatest}`);
});

test("distributions can be ridges, a heat map or percentiles, of two runs over each other", async () => {
  const { page } = visit.visitor;
  for (const mode of await page.getByRole("group", { name: "Picture" }).getByRole("button").all()) {
    await mode.click();
    await visit.visitor.settled();
    await visit.visitor.takePicture(`distributions-${((await mode.textContent()) ?? "").trim().toLowerCase().replace(/\W+/g, "-")}`);
  }
  await page.getByRole("switch", { name: "Overlay two" }).or(page.getByRole("checkbox", { name: "Overlay two" })).first().click();
  await visit.visitor.settled();
  await page.getByRole("img", { name: /Distribution of weights\/conv1a\/kernel.*; / }).first().waitFor();
  await visit.visitor.takePicture("distributions-overlay");
});

for (const [view, picture] of [
  ["network", /of activations of adam-1e-3:/],
  ["distributions", /activations\/conv1a.* adam-1e-3/],
  ["layers", /^Distribution of activations\/conv1a of adam-1e-3 over steps/],
] as const) {
  test(`${view}: a drag shows some of the steps, a double click and R all of them; neither sets the step`, async () => {
    const { page } = visit.visitor;
    await visit.visitor.go(view === "distributions" ? "#/distributions?tag=activations/conv1a&mode=heat" : `#/${view}`);
    await visit.visitor.settled();
    const chart = page.getByRole("img", { name: picture });
    const drag = async () => {
      const box = await chart.boundingBox();
      if (!box) throw new Error("no picture");
      const [from, to, y] = [box.x + box.width * 0.4, box.x + box.width * 0.8, box.y + box.height / 2];
      await page.mouse.move(from, y);
      await page.mouse.down();
      await page.mouse.move((from + to) / 2, y);
      await page.mouse.move(to, y);
      await page.mouse.up();
      await expect.poll(hash).toMatch(/from=\d+.*to=\d+/);
      await page.getByRole("button", { name: /^Steps \d+ to \d+: reset$/ }).waitFor();
      await visit.visitor.settled();
    };
    await drag();
    await chart.dblclick();
    await expect.poll(hash).not.toMatch(/from=|to=|step=/);
    await drag();
    await page.keyboard.press("r");
    await expect.poll(hash).not.toMatch(/from=|to=|step=/);
  });
}
