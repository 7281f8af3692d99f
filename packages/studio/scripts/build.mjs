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

/**
 * WebAssembly inside the script byte for byte, not in base64, in which its patterns are hidden from gzip: some 7 kB less to
 * load. Only what a string or a page would take for something else is escaped.
 */
const bytesAsText = (script) =>
  script.replace(/(["'`])(AGFzb[A-Za-z0-9+/]+=*)\1/g, (_, _quote, base64) => {
    const text = Buffer.from(base64, "base64").toString("latin1");
    const escaped = text.replace(/[\0\r\n"\\<]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
    return `btoa("${escaped}")`;
  });

/** Puts the script and the style into the page, and their hashes into its Content-Security-Policy. */
const oneFile = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const page of Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"))) {
      const take = (found) => {
        const file = bundle[found.replace(/^\//, "")];
        delete bundle[file.fileName];
        const source = file.code === undefined ? String(file.source) : bytesAsText(file.code);
        const text = source.replaceAll("</script", "<\\/script").trim();
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

/** The studio trains on data that it draws itself: the readers of files stay out of its page. */
const drawnDataOnly = {
  name: "drawn-data-only",
  transform(code, id) {
    if (!id.endsWith("/nn/dist/data/registry.js")) return undefined;
    const drawn = code.replace("[mnist, cifar10, synthetic, plane, own]", "[synthetic, plane]");
    if (drawn === code) throw new Error("the list of data sets has changed: drawnDataOnly must, too");
    return { code: drawn, map: null };
  },
};

for (const page of pages) {
  await build({
    root,
    base: "/",
    configFile: false,
    logLevel: "warn",
    plugins: [nothingAhead, oneFile, ...(page === "index" ? [drawnDataOnly] : [])],
    // The library's threads are Node's; in a classic worker the words alone would be an error.
    define: { "import.meta.url": "location.href" },
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
