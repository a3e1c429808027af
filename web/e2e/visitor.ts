// Visitor: somebody who looks at the page in chromium, and notes whatever a page should never do.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { expect } from "vitest";
import { repository } from "./recorded_runs";

export type Theme = "light" | "dark";
export type Size = { width: number; height: number };
export const desktop: Size = { width: 1440, height: 900 };
export const phone: Size = { width: 420, height: 860 };

const pictures = join(repository, "web/e2e/out");
mkdirSync(pictures, { recursive: true });

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", // tests run as root in containers
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export class Visitor {
  readonly complaints: string[] = [];
  // The live streams that pages of this browser hold open.
  readonly liveStreams = new Set<Request>();

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {
    this.watch(page);
  }

  static async arrive(browser: Browser, address: string, options: { theme?: Theme; size?: Size } = {}): Promise<Visitor> {
    const context = await browser.newContext({
      colorScheme: options.theme ?? "light",
      viewport: options.size ?? desktop,
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(10_000);
    const visitor = new Visitor(context, await context.newPage(), new URL(address).origin);
    await visitor.page.goto(address);
    await visitor.settled();
    return visitor;
  }

  // Another tab of the same browser.
  async openTab(address: string): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    await page.goto(address);
    return page;
  }

  // To a view by the address, as from a link.
  async go(hash: string): Promise<void> {
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await this.settled();
  }

  // The view is there, and nothing is being loaded.
  async settled(page: Page = this.page): Promise<void> {
    try {
      await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
      await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .skeleton') === null);
    } catch (error) {
      const text = await page.locator("body").innerText();
      throw new Error(`${page.url()} does not settle; it says:\n${text}\n${this.complaints.join("\n")}`, { cause: error });
    }
    await page.waitForTimeout(150); // a frame or two for canvases
  }

  async takePicture(name: string): Promise<void> {
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }

  // How far the page can be pushed sideways, in pixels.
  async sidewaysOverflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  expectQuiet(): void {
    expect(this.complaints.splice(0)).toEqual([]); // each test answers for its own
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  private watch(page: Page): void {
    const note = (what: string) => this.complaints.push(what);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) note(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
    page.on("dialog", (dialog) => {
      note(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (url.endsWith("/api/v1/events")) this.liveStreams.add(request);
      if (!url.startsWith(this.origin) && !/^(data|blob):/.test(url)) note(`asked another host: ${url}`);
    });
    page.on("requestfinished", (request) => this.liveStreams.delete(request));
    page.on("close", () => {
      for (const stream of this.liveStreams) if (stream.frame().page() === page) this.liveStreams.delete(stream);
    });
    page.on("requestfailed", (request) => {
      this.liveStreams.delete(request);
      // A question that the page itself has dropped is no failure; the live stream ends with the page.
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") note(`failed: ${request.url()} ${reason}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) note(`${response.status()}: ${response.url()}`);
    });
  }
}
