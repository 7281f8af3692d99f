// Compiles native/*.c to dist/native/equitopo-mpi.node with the C compiler of this machine and Node's own headers. Where
// one of them is missing it says so and leaves it: everything but MPI works without. N-API is stable, so one build serves
// every later Node. Never fails an install.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));
const target = path.join(home, "dist/native/equitopo-mpi.node");
const sources = readdirSync(path.join(home, "native")).map((name) => path.join(home, "native", name));
const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function skip(why) {
  const script = fileURLToPath(import.meta.url);
  console.error(`mpi: not built, ${why}. Everything else works; to have it, repair that and run: node ${script}`);
}

function headers() {
  const roots = [process.env["npm_config_nodedir"], path.dirname(path.dirname(process.execPath)), "/usr", "/usr/local"];
  const folders = roots.filter(Boolean).flatMap((root) => [path.join(root, "include/node"), path.join(root, "src")]);
  return folders.find((folder) => existsSync(path.join(folder, "node_api.h")));
}

function build() {
  if (Math.max(...sources.map(age)) < age(target)) return;
  if (process.platform === "win32") return skip("Windows has no dlopen");
  const include = headers();
  if (include === undefined) return skip("Node's headers (node_api.h) are not on this machine");
  const compiler = process.env["CC"] ?? "cc";
  const shared = process.platform === "darwin" ? ["-bundle", "-undefined", "dynamic_lookup"] : ["-shared"];
  const flags = ["-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra", "-pthread", "-DNAPI_VERSION=8", `-I${include}`];
  try {
    mkdirSync(path.dirname(target), { recursive: true });
  } catch (error) {
    return skip(`its folder cannot be made (${error.code})`);
  }
  const files = sources.filter((file) => file.endsWith(".c"));
  const part = `${target}.${process.pid}`;
  const run = spawnSync(
    compiler,
    [...flags, ...shared, "-o", part, ...files, ...(process.platform === "linux" ? ["-ldl"] : [])],
    {
      encoding: "utf8",
    },
  );
  if (run.error !== undefined) return skip(`there is no C compiler (${compiler})`);
  if (run.status !== 0) return skip(`the C compiler failed:\n${run.stderr}`);
  if (run.stderr) console.error(run.stderr);
  renameSync(part, target);
}

build();
