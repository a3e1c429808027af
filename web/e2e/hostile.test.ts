// Hostile: more than a hundred strings that would run if a page let them, as names of runs and tags, as text, as values.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Server } from "./server";
import { openBrowser, phone, Visitor } from "./visitor";

const views = ["overview", "scalars", "network", "distributions", "layers", "images", "tensors", "text", "audio", "hparams", "files"];

let server: Server;
let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  server = await Server.start(inject("hostile"), "--no-token");
  await server.loaded();
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, server.address);
});
afterAll(async () => {
  await visitor?.leave();
  await browser?.close();
  await server?.stop();
});

async function expectInert(): Promise<void> {
  expect(await visitor.page.evaluate(() => (window as { __hostile?: unknown }).__hostile)).toBeUndefined();
  const made = await visitor.page.evaluate(() =>
    [...document.querySelectorAll("iframe, object, embed, base, meta[http-equiv=refresh], form[action], body style, body script")].map(
      (element) => element.outerHTML.slice(0, 120),
    ),
  );
  expect(made).toEqual([]);
  const links = await visitor.page.evaluate(() =>
    [...document.querySelectorAll("a[href], [src]")].map((element) => element.getAttribute("href") ?? element.getAttribute("src") ?? ""),
  );
  expect(links.filter((link) => /^\s*(javascript|vbscript|data:text)/i.test(link))).toEqual([]);
  const handlers = await visitor.page.evaluate(() =>
    [...document.querySelectorAll("*")].flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith("on")),
  );
  expect(handlers).toEqual([]);
  expect(await visitor.page.evaluate(() => getComputedStyle(document.body).display)).not.toBe("none");
  visitor.expectQuiet();
}

test("there are more than a hundred of them, and the page lists them as names", async () => {
  const { runs } = await server.ask<{ runs: { name: string }[] }>("runs");
  expect(runs.length).toBeGreaterThan(100);
  const list = visitor.page.getByRole("complementary", { name: "Runs" });
  await visitor.page.keyboard.press("/");
  await visitor.page.keyboard.type("^<script>");
  await list.getByRole("button", { name: "<script>window.__hostile=1<\u2215script>", exact: true }).waitFor();
  await visitor.page.keyboard.press("Control+A");
  await visitor.page.keyboard.press("Delete");
  await expectInert();
});

describe.each(views)("%s", (view) => {
  test("shows hostile names and texts and runs none of them", async () => {
    await visitor.go(`#/${view}`);
    await visitor.takePicture(`hostile-${view}`);
    // What only comes into being on the way down or under the pointer.
    const main = visitor.page.getByRole("main");
    await main.hover();
    for (let page = 0; page < 4; page += 1) {
      await visitor.page.mouse.wheel(0, 700);
      await visitor.page.waitForTimeout(60);
    }
    await expectInert();
    expect(await visitor.sidewaysOverflow()).toBeLessThanOrEqual(0);
  });
});

test("hostile texts are shown as Markdown without what could run", async () => {
  const { runs } = await server.ask<{ runs: { name: string }[] }>("runs");
  expect(runs.map((run) => run.name)).toContain("hostile");
  await visitor.go("#/text");
  await expectInert();
});

test("hostile names in the address change nothing but the view", async () => {
  const names = ["<img src=x onerror=window.__hostile=1>", "javascript:window.__hostile=1", "__proto__", "constructor", "%00", "../..", '"><script>window.__hostile=1</script>'];
  for (const name of names) {
    const value = encodeURIComponent(name);
    await visitor.page.goto(`${server.origin}/#/${value}?tag=${value}&run=${value}&layer=${value}&step=${value}&filter=${value}`);
    await visitor.page.waitForTimeout(250);
    expect(await visitor.page.evaluate(() => (window as { __hostile?: unknown }).__hostile)).toBeUndefined();
  }
});

test("a long name does not push the page of a phone sideways", async () => {
  const small = await Visitor.arrive(browser, server.address, { size: phone });
  await small.go("#/scalars");
  await small.takePicture("hostile-phone");
  expect(await small.sidewaysOverflow()).toBeLessThanOrEqual(0);
  small.expectQuiet();
  await small.leave();
});
