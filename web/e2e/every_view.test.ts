// Every view, in both themes and at the width of a phone: nothing is missing, nothing complains, everybody can use it.
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Server } from "./server";
import { openBrowser, phone, type Theme, Visitor } from "./visitor";

// The tabs that the recorded runs have data for, in their order.
const views = ["overview", "scalars", "network", "distributions", "layers", "images", "tensors", "text", "audio", "hparams", "files"];

let server: Server;
let browser: Browser;
beforeAll(async () => {
  server = await Server.start(inject("runs"), "--no-token");
  await server.loaded();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function seriousFindings(visitor: Visitor): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: visitor.page }).analyze();
  return violations
    .filter((found) => found.impact === "serious" || found.impact === "critical")
    .flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(" ")}: ${node.failureSummary ?? ""}`));
}

test("the tabs are the views that there is data for", async () => {
  const visitor = await Visitor.arrive(browser, server.address);
  const links = await visitor.page.getByRole("navigation", { name: "Views" }).getByRole("link").all();
  const targets = await Promise.all(links.map((link) => link.getAttribute("href")));
  expect(targets.map((target) => /#\/(\w+)/.exec(target ?? "")?.[1])).toEqual(views);
  visitor.expectQuiet();
  await visitor.leave();
});

describe.each<Theme>(["light", "dark"])("%s", (theme) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await Visitor.arrive(browser, server.address, { theme });
  });
  afterAll(async () => visitor?.leave());

  test.each(views)("%s is drawn without a complaint, and axe finds nothing serious", async (view) => {
    await visitor.page.locator(`nav a[href^="#/${view}"]`).first().click();
    await visitor.settled();
    await visitor.takePicture(`${view}-${theme}`);
    expect(await visitor.page.locator('nav a[aria-current="page"]').getAttribute("href")).toContain(`#/${view}`);
    expect(await visitor.page.evaluate(() => document.documentElement.dataset["theme"] ?? "")).toMatch(
      theme === "dark" ? /dark/ : /light|^$/,
    );
    expect(await seriousFindings(visitor)).toEqual([]);
    expect(await visitor.sidewaysOverflow()).toBeLessThanOrEqual(0);
    visitor.expectQuiet();
  });
});

describe("at the width of a phone", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await Visitor.arrive(browser, server.address, { size: phone });
  });
  afterAll(async () => visitor?.leave());

  test.each(views)("%s does not run over the side", async (view) => {
    await visitor.go(`#/${view}`);
    await visitor.takePicture(`${view}-phone`);
    expect(await visitor.sidewaysOverflow()).toBeLessThanOrEqual(0);
    visitor.expectQuiet();
  });
});
