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
        const file = bundle[found.replace(/^\.\//, "")];
        delete bundle[file.fileName];
        // Workers start from the same text (src/desk.ts), but not as modules, which alone know import.meta.
        const text = (file.code ?? String(file.source))
          .replaceAll("import.meta.url", "location.href")
          .replaceAll("</script", "<\\/script")
          .trim();
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

/**
 * The kernels' bytes as a text of one character each, and not as base64: that compresses by a third better. What HTML or a
 * script would take for something else is escaped.
 */
const plainBytes = {
  name: "plain-bytes",
  transform(code, id) {
    const found = id.endsWith("/kernel/wasm.js") ? /"([A-Za-z0-9+/=]{100,})"/.exec(code) : null;
    if (found === null) return undefined;
    const text = Buffer.from(found[1], "base64").toString("latin1");
    const hex = (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    const escaped = text.replace(/[\0\r\n\\"<`$\x80-\x9f]/g, hex);
    return code.replace(found[0], () => `btoa("${escaped}")`);
  },
};

/**
 * What the page of views never asks for, so that its first load stays small: runs that are the command's (without a clock, with
 * liars) and problems, networks and data sets other than those of its Learning view.
 */
const members = [
  [/\/nn\/dist\/data\/registry\.js$/, "[mnist, cifar10, synthetic, plane, own]", "[synthetic, plane]"],
  [/\/faults\/attack\/registry\.js$/, "[signFlip, large, noise, littleIsEnough, labelFlip]", "[]"],
  [/\/nn\/dist\/model\/registry\.js$/, "mnistCnnModel, resNet20Model, ", ""],
  [/\/equitopo\/dist\/problem\/registry\.js$/, "[leastSquaresFamily, logisticFamily]", "[]"],
];
const absent = /\/run\/(async\/simulate|robust)\.js$/;
const leftOut = {
  name: "left-out",
  transform(code, id) {
    const [, all, kept] = members.find(([pattern]) => pattern.test(id)) ?? [];
    if (all !== undefined) {
      if (!code.includes(all)) throw new Error(`${id} has other members now: ${all} is not there`);
      return { code: code.replace(all, kept), map: null };
    }
    if (!absent.test(id)) return undefined;
    const names = [...code.matchAll(/^export (?:function\*?|class) (\w+)/gm)].map(([, name]) => name);
    const say = (name) =>
      `export function ${name}() { throw new Error("not on this page: use the command equitopo"); }`;
    return { code: names.map(say).join("\n"), map: null };
  },
};

for (const page of pages) {
  await build({
    root,
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [plainBytes, ...(page === "index" ? [leftOut] : []), oneFile],
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
      rollupOptions: { input: `${root}${page}.html` },
    },
  });
}

/** What a page fetches when somebody asks for it: workers that would make every first load longer. */
const fetched = { gpu: "src/work/learning/gpu.worker.ts", graphs: "src/work/graph.worker.ts" };
for (const [name, entry] of Object.entries(fetched)) {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [plainBytes],
    // A classic script has no import.meta; it is for threads, and none is started here.
    define: { "import.meta.url": "location.href" },
    build: {
      target: "es2022",
      outDir: "dist",
      emptyOutDir: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      lib: { entry: `${root}${entry}`, formats: ["iife"], name, fileName: () => `${name}.js` },
    },
  });
}

for (const file of [...pages.map((page) => `${page}.html`), ...Object.keys(fetched).map((name) => `${name}.js`)]) {
  const bytes = readFileSync(`${root}dist/${file}`);
  console.log(
    `${file}: ${(bytes.length / 1000).toFixed(1)} kB, ${(gzipSync(bytes).length / 1000).toFixed(1)} kB gzipped`,
  );
}
