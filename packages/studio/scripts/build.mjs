/**
 * Builds the pages, each as one file that any host can serve and that also opens from a disk: scripts, styles and workers
 * are inside. Workers are classic ones, since a module worker needs an origin, which a file has not. What few ask for lies
 * beside the pages: views.js and graphs.js, which are parts of the first, and the worker gpu.js.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = ["index", "join"];

/** Runs in the page, as its import(): what a part beside it exports, by a script element, which a page on a disk may have, too. */
function part(name) {
  const fetched = () =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `./${name}.js`;
      script.onload = () => resolve(self.parts[name]());
      script.onerror = () => {
        part[name] = undefined;
        reject(new Error(`${name}.js must lie beside this page: put it there and try again`));
      };
      document.head.append(script);
    });
  part[name] ??= fetched();
  return part[name];
}

/**
 * A module as a part: a function that takes what it imports from the global `parts`, and answers what it exports. Modules
 * proper can be fetched from an origin only, and none can import from a script in a page.
 */
function asPart({ fileName, code }) {
  const name = fileName.replace(".js", "");
  const pairs = (names, order) => names.replaceAll(/([\w$]+) as ([\w$]+)/g, order);
  const body = code
    .replaceAll(
      /import\{([^}]*)\}from"\.\/([\w-]+)\.js";/g,
      (_, names, from) => `const{${pairs(names, "$1:$2")}}=parts["${from}"];`,
    )
    .replaceAll(/import\(`\.\/([\w-]+)\.js`\)/g, 'part("$1")')
    .replace(/export\{([^}]*)\};?\s*$/, (_, names) => `return{${pairs(names, "$2:$1")}};`)
    .replaceAll("import.meta.url", "location.href")
    .replaceAll("__VITE_PRELOAD__", "[]");
  return { name, text: `()=>{${body}}` };
}

const hashed = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What Vite puts around import(): it would load styles first, and a page has one. */
const plainImport = {
  name: "plain-import",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined),
};

/** Puts the script and the style into the page, and their hashes into its Content-Security-Policy. */
const oneFile = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
    for (const { name, text } of chunks.filter((chunk) => chunk.isDynamicEntry).map(asPart)) {
      this.emitFile({ type: "asset", fileName: `${name}.js`, source: `parts["${name}"]=${text};` });
    }
    // A part comes after what it imports. Workers start from the same text (src/desk.ts).
    const inOrder = (chunk) => [...chunk.imports.flatMap((file) => inOrder(bundle[file])), chunk];
    const run = [...new Set(chunks.filter((chunk) => chunk.isEntry && !chunk.isDynamicEntry).flatMap(inOrder))]
      .map(asPart)
      .map(({ name, text }) => `parts["${name}"]=(${text})();`);
    for (const { fileName } of chunks) delete bundle[fileName];
    const script = `self.parts={};${part}${run.join("")}`.replaceAll("</script", "<\\/script").trim();
    for (const page of Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"))) {
      const styles = [];
      page.source = page.source
        .replace(/<script type="module"[^>]*><\/script>/, "")
        .replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/g, (_, href) => {
          const { fileName, source } = bundle[href.replace(/^\.\//, "")];
          delete bundle[fileName];
          styles.push(String(source).trim());
          return `<style>${styles.at(-1)}</style>`;
        })
        // After what it works on: a script without a src is not deferred everywhere that a page may be opened.
        .replace("</body>", () => `<script type="module">${script}</script></body>`)
        .replace("SCRIPTS", hashed(script))
        .replace("STYLES", styles.map(hashed).join(" "));
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
    const found = /\/kernel\/(text-)?wasm\.js$/.test(id) ? /"([A-Za-z0-9+/=]{100,})"/.exec(code) : null;
    if (found === null) return undefined;
    const text = Buffer.from(found[1], "base64").toString("latin1");
    const hex = (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    const escaped = text.replace(/[\0\r\n\\"<`$\x80-\x9f]/g, hex);
    return code.replace(found[0], () => `btoa("${escaped}")`);
  },
};

/** Of networks of texts: no page has the problem `language`, and none has gpt, its layers and their kernels. */
const gpt = [
  [/\/nn\/dist\/model\/registry\.js$/, ", gptModel]", "]"],
  [/\/nn\/dist\/kernel\/text-wasm\.js$/, /"[A-Za-z0-9+/=]{100,}"/, '""'],
];
const texts = [
  ...gpt,
  [
    /\/nn\/dist\/model\/layers\/registry\.js$/,
    "[embedding, tied, positions, linear, layerNorm, attention, gelu, skip]",
    "[]",
  ],
];

/**
 * What the page of views never asks for, so that its first load stays small: runs that are the command's (without a clock, with
 * liars), models in files, and problems, networks, layers and data sets other than those of its Learning view.
 */
const members = [
  ...texts,
  [
    /\/nn\/dist\/model\/layers\/registry\.js$/,
    "[convolution, dense, maxPool, averagePool, batchNorm, relu, dropout, residual]",
    "[dense]",
  ],
  [/\/nn\/dist\/data\/registry\.js$/, "[mnist, cifar10, synthetic, plane, own]", "[synthetic, plane]"],
  [/\/faults\/attack\/registry\.js$/, "[signFlip, large, noise, littleIsEnough, labelFlip]", "[]"],
  [/\/nn\/dist\/model\/registry\.js$/, "mnistCnnModel, resNet20Model, ", ""],
  [/\/equitopo\/dist\/problem\/registry\.js$/, "[leastSquaresFamily, logisticFamily]", "[]"],
];
const absent =
  /\/(run\/(async\/simulate|robust)|rate\/outer-(sampled|turned)|nn\/dist\/classification\/model-file)\.js$/;
/** How far outer rules let nodes disagree: a page only asks whether a rule is stable. */
const disagreement = /\/rate\/outer-(sampled|turned)\.js$/;
const without = (members, absent) => ({
  name: "left-out",
  transform(code, id) {
    for (const [, all, kept] of members.filter(([pattern]) => pattern.test(id))) {
      const rest = code.replace(all, kept);
      if (rest === code) throw new Error(`${id} has other members now: ${all} is not there`);
      code = rest;
    }
    if (!absent?.test(id)) return { code, map: null };
    const names = [...code.matchAll(/^export (?:function\*?|class) (\w+)/gm)].map(([, name]) => name);
    const say = (name) =>
      `export function ${name}() { throw new Error("not on this page: use the command equitopo"); }`;
    return { code: names.map(say).join("\n"), map: null };
  },
});
const leftOut = { index: without(members, absent), join: without(texts, disagreement) };

for (const page of pages) {
  await build({
    root,
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [plainImport, leftOut[page], plainBytes, oneFile],
    // A worker is built by itself: these hold for it only where they are said again.
    worker: { format: "iife", plugins: () => [leftOut[page], plainBytes] },
    build: {
      target: "es2022",
      // Browsers that have light-dark(): lowered, it would not follow the theme that is chosen on the page.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      outDir: "dist",
      emptyOutDir: page === pages[0],
      modulePreload: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      rollupOptions: {
        input: `${root}${page}.html`,
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  });
}

/** A worker that a page fetches when somebody asks for it: it would make every first load longer. */
await build({
  root,
  configFile: false,
  logLevel: "warn",
  plugins: [without(gpt), plainBytes],
  // A classic script has no import.meta; it is for threads, and none is started here.
  define: { "import.meta.url": "location.href" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    lib: { entry: `${root}src/work/learning/gpu.worker.ts`, formats: ["iife"], name: "gpu", fileName: () => "gpu.js" },
  },
});

for (const file of readdirSync(`${root}dist`)) {
  const bytes = readFileSync(`${root}dist/${file}`);
  console.log(
    `${file}: ${(bytes.length / 1000).toFixed(1)} kB, ${(gzipSync(bytes).length / 1000).toFixed(1)} kB gzipped`,
  );
}
