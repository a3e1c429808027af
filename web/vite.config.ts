// How the page is built, served while it is developed, and tested.
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const folder = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));
// `npm run dev` shows the page of this folder on the data of a running `tensortap serve --no-token`.
const server = process.env["TENSORTAP_SERVER"] ?? "http://127.0.0.1:6007";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  // Relative, so that the page works below any --path-prefix.
  base: "./",
  resolve: {
    alias: { $api: folder("api"), $charts: folder("charts"), $widgets: folder("widgets"), $state: folder("state") },
    // Tests mount components: they need Svelte's browser build.
    ...(mode === "test" ? { conditions: ["browser"] } : {}),
  },
  build: { target: "es2023", outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
  server: { proxy: { "/api": { target: server, changeOrigin: true } } },
  // Tests that need a document say so in their second line: making one takes longer than most tests.
  test: { environment: "node", include: ["src/**/*.test.ts"] },
}));
