// page_visit.mjs ADDRESS CHART [QUIET_SECONDS]: opens a page in chromium, prints when its first chart was drawn and its heap.
//
// CHART is a CSS selector; a canvas counts when something is painted on it, other elements when they are there.
// The heap is JavaScript's, after the network has been quiet for a second or QUIET_SECONDS (30) have passed.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("playwright-core");
const [address, chart, quietSeconds = "30"] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
let received = 0;
const devtools = await page.context().newCDPSession(page);
await devtools.send("Network.enable");
devtools.on("Network.loadingFinished", (event) => {
  received += event.encodedDataLength;
});

const started = performance.now();
await page.goto(address, { waitUntil: "commit" });
await page.waitForFunction(
  (selector) => {
    const isPainted = (element) => {
      if (!(element instanceof HTMLCanvasElement)) return true;
      const context = element.width && element.height ? element.getContext("2d") : null;
      if (context === null) return element.width > 0; // WebGL: there is no looking into it
      return context.getImageData(0, 0, element.width, element.height).data.some((byte) => byte !== 0);
    };
    return [...document.querySelectorAll(selector)].some((each) => each.getClientRects().length && isPainted(each));
  },
  chart,
  { polling: 50, timeout: 300_000 },
);
const firstChart = (performance.now() - started) / 1e3;

await page.waitForLoadState("networkidle", { timeout: Number(quietSeconds) * 1e3 }).catch(() => {});
await devtools.send("Performance.enable");
const { metrics } = await devtools.send("Performance.getMetrics");
const heap = metrics.find((metric) => metric.name === "JSHeapUsedSize").value;
if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE });
console.log(JSON.stringify({ first_chart_s: firstChart, heap_mb: heap / 1e6, received_mb: received / 1e6 }));
await browser.close();
