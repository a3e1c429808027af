// Visit: a server on the recorded runs and a visitor in front of it, for the tests of one view.
import type { Browser, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { Server } from "./server";
import { openBrowser, Visitor } from "./visitor";

export interface Visit {
  server: Server;
  browser: Browser;
  visitor: Visitor;
  // The card with this title.
  card: (title: string | RegExp) => Locator;
}

// Called once in a test file; each of its tests must leave the page without a complaint.
export function visitRuns(address = ""): Visit {
  const visit = {} as Visit;
  beforeAll(async () => {
    visit.server = await Server.start(inject("runs"), "--no-token");
    await visit.server.loaded();
    visit.browser = await openBrowser();
    visit.visitor = await Visitor.arrive(visit.browser, visit.server.address + address);
    visit.card = (title) => visit.visitor.page.getByRole("main").getByRole("region", { name: title, exact: true });
  });
  afterEach(() => visit.visitor?.expectQuiet());
  afterAll(async () => {
    await visit.visitor?.leave();
    await visit.browser?.close();
    await visit.server?.stop();
  });
  return visit;
}
