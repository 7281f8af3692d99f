/**
 * Builds the pages, each as one file that any host can serve and that also opens from a disk: scripts, styles and workers
 * are inside. Workers are classic ones, since a module worker needs an origin, which a file has not.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = ["index", "join"];

/** Puts the script and the style into the page, and their hashes into its Content-Security-Policy. */
const oneFile = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const page of Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"))) {
      const take = (found) => {
        const file = bundle[found.replace(/^\//, "")];
        delete bundle[file.fileName];
        const text = (file.code ?? String(file.source)).replaceAll("</script", "<\\/script").trim();
        return { text, hash: `'sha256-${createHash("sha256").update(text).digest("base64")}'` };
      };
      const hashes = { script: [], style: [] };
      let script = "";
      page.source = page.source
        .replace(/<script type="module"[^>]* src="([^"]+)"><\/script>/g, (_, src) => {
          const { text, hash } = take(src);
          hashes.script.push(hash);
          script += `<script type="module">${text}</script>`;
          return "";
        })
        .replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/g, (_, href) => {
          const { text, hash } = take(href);
          hashes.style.push(hash);
          return `<style>${text}</style>`;
        });
      // After what it works on: a script without a src is not deferred everywhere that a page may be opened.
      page.source = page.source
        .replace("</body>", () => `${script}</body>`)
        .replace("SCRIPTS", hashes.script.join(" "))
        .replace("STYLES", hashes.style.join(" "));
    }
  },
};

/** What is imported late is in the same file already: there is nothing to fetch ahead, and a worker has no import.meta. */
const nothingAhead = {
  name: "nothing-ahead",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined),
  renderChunk: (code) => code.replaceAll("__VITE_PRELOAD__", "[]"),
};

for (const page of pages) {
  await build({
    root,
    base: "/",
    configFile: false,
    logLevel: "warn",
    plugins: [nothingAhead, oneFile],
    worker: { format: "iife" },
    build: {
      target: "es2022",
      // Browsers that have light-dark(): lowered, it would not follow the theme that is chosen on the page.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      outDir: "dist",
      emptyOutDir: page === pages[0],
      modulePreload: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      // What is imported only where it is needed (script.ts) is still in the one file.
      rollupOptions: { input: `${root}${page}.html`, output: { codeSplitting: false } },
    },
  });
}

for (const page of pages) {
  const bytes = readFileSync(`${root}dist/${page}.html`);
  console.log(
    `${page}.html: ${(bytes.length / 1000).toFixed(1)} kB, ${(gzipSync(bytes).length / 1000).toFixed(1)} kB gzipped`,
  );
}
