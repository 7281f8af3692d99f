/**
 * Builds the pages, each as one file that any host can serve and that also opens from a disk: scripts, styles and workers
 * are inside. Workers are classic ones, since a module worker needs an origin, which a file has not.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = ["index", "join"];

/** Puts the script and the style into the page, and their hashes into its Content-Security-Policy. */
const oneFile = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const page of Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"))) {
      const take = (found) => {
        const file = bundle[found.replace(/^\.\//, "")];
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

/** What pages know of the library's members, evaluated now: plain values in the place of the library. */
const { module: catalogue } = await runnerImport(`${root}src/catalogue.ts`, { root, configFile: false });
const evaluated = {
  name: "evaluated",
  load: (id) =>
    id.endsWith("/src/catalogue.ts")
      ? Object.entries(catalogue)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join("\n")
      : undefined,
};

for (const page of pages) {
  await build({
    root,
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [oneFile, evaluated],
    worker: { format: "iife" },
    build: {
      target: "es2022",
      outDir: "dist",
      emptyOutDir: page === pages[0],
      modulePreload: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      rollupOptions: { input: `${root}${page}.html` },
    },
  });
}

for (const page of pages) {
  const bytes = readFileSync(`${root}dist/${page}.html`);
  console.log(
    `${page}.html: ${(bytes.length / 1000).toFixed(1)} kB, ${(gzipSync(bytes).length / 1000).toFixed(1)} kB gzipped`,
  );
}
