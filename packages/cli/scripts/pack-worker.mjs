/**
 * Packs the command `worker` with all that it loads into a few files, for launches of many processes (peers/launch-processes.ts):
 * a process that loads some 600 modules one by one takes three times as long to start. Other commands stay where they are.
 * Run by `npm run build`.
 */

import { rmSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const folder = fileURLToPath(new URL("../dist/packed", import.meta.url));
const input = fileURLToPath(new URL("../bin/equitopo.js", import.meta.url));

const plugin = {
  name: "worker",
  resolveId(source, importer) {
    const isCommand = importer?.endsWith("/cli/dist/commands.js") && source.startsWith("./command/");
    if (!isCommand || source.startsWith("./command/worker/")) return null;
    return { id: resolve(dirname(importer), source), external: "relative" };
  },
  // What a module finds beside itself is still beside its own file.
  transform(code, id) {
    if (!code.includes("import.meta.url")) return null;
    const own = JSON.stringify(relative(folder, id).replaceAll("\\", "/"));
    return code.replaceAll("import.meta.url", `new URL(${own}, import.meta.url).href`);
  },
};

rmSync(folder, { recursive: true, force: true });
// Native and optional packages are loaded where they are, if at all.
const external = [/^@equitopo\/(rtc|mpi|gpu|studio|experiments)/, /^@resvg/, /^@expo/];
const bundle = await rolldown({ input, external, platform: "node", plugins: [plugin], logLevel: "silent" });
await bundle.write({ dir: folder, format: "esm", minify: true });
