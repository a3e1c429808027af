// How the tests in chromium are run: one file after the other, on runs recorded once for all of them.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["e2e/**/*.test.ts"],
    globalSetup: ["e2e/recorded_runs.ts"],
    environment: "node",
    fileParallelism: false, // the machines of tests have two cores, and a browser wants both
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["verbose"],
  },
});
