// How the page is built, served while it is developed, and tested.
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const folder = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));
// `npm run dev` shows the page of this folder on the data of a running `tensortap serve --no-token`.
const server = process.env["TENSORTAP_SERVER"] ?? "http://127.0.0.1:6007";

// The code of the first view comes beside the shell's, not after it.
function firstViewComesEarly(view: string): Plugin {
  return {
    name: "first-view-comes-early",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const wanted = new Set<string>();
        const want = (file: string): void => {
          const chunk = bundle[file];
          if (chunk?.type !== "chunk" || wanted.has(file)) return;
          wanted.add(file);
          chunk.imports.forEach(want);
        };
        for (const [file, chunk] of Object.entries(bundle)) {
          if (chunk.type === "chunk" && chunk.facadeModuleId?.endsWith(view)) want(file);
        }
        if (Object.keys(bundle).length > 0 && wanted.size === 0) throw new Error(`there is no ${view}`);
        return [...wanted]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `./${file}` },
            injectTo: "head" as const,
          }));
      },
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), firstViewComesEarly("views/overview/View.svelte")],
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
