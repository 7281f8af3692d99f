/** Packs the packages as npm would publish them, and looks into each tarball. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const run = promisify(execFile);

/** Packs packages of the workspace into a folder: of each the tarball's path and what is in it, in the order given. */
export async function pack(root, packages, destination) {
  const flags = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", destination];
  const chosen = packages.flatMap(({ name }) => ["--workspace", name]);
  const options = { cwd: root, encoding: "utf8", shell: process.platform === "win32", maxBuffer: 1 << 26 };
  const { stdout } = await run("npm", [...flags, ...chosen], options);
  const packed = new Map(JSON.parse(stdout).map((one) => [one.name, one]));
  return packages.map(({ name }) => {
    const { filename, files, size } = packed.get(name);
    return { name, tarball: join(destination, filename), size, files: files.map(({ path }) => path) };
  });
}

/** Removes what was built of sources that are gone: the compiler leaves it, and npm would pack it. Gives how many files. */
export function removeStale(root, packages) {
  let removed = 0;
  for (const { folder } of packages) {
    const dist = join(root, folder, "dist");
    for (const name of readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".map"))) {
      const { sources } = JSON.parse(readFileSync(join(dist, name), "utf8"));
      if (sources.every((source) => existsSync(join(dist, dirname(name), source)))) continue;
      for (const file of [name, name.replace(/\.map$/, "")]) rmSync(join(dist, file), { force: true });
      removed++;
    }
  }
  return removed;
}

/** What is wrong with a tarball, one line each. */
export async function tarballTroubles({ name, tarball, files }) {
  const has = new Set(files);
  const bytes = readFileSync(tarball);
  const archive = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: archive }, strict: true, level: "warning" });
  return [
    ...["package.json", "README.md", "LICENSE"].filter((file) => !has.has(file)).map((file) => `no ${file}`),
    ...files.filter((file) => /tsbuildinfo|(^|\/)test\/|\.test\.|\.tgz$/.test(file)).map((file) => `${file} is in it`),
    ...sourcesMissing(bytes, has),
    ...messages.map((message) => formatMessage(message, pkg ?? {}, { color: false })),
  ].map((trouble) => `${name}: ${trouble}`);
}

/** Source maps lead a debugger to files: these must be there. */
function sourcesMissing(bytes, has) {
  const missing = new Set();
  for (const { path, text } of entries(gunzipSync(bytes))) {
    if (!path.endsWith(".map")) continue;
    for (const source of JSON.parse(text()).sources) {
      const file = posix.normalize(posix.join(posix.dirname(path), source));
      if (!has.has(file)) missing.add(`${path} names ${file}, which is not in it`);
    }
  }
  return missing;
}

/** The files of a tar archive without its leading folder. Long names are in a prefix of their own (ustar) or a header before. */
function* entries(tar) {
  let longName;
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const field = (start, length) => tar.toString("utf8", at + start, at + start + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(field(124, 12), 8);
    const kind = field(156, 1);
    const start = at + 512;
    const text = () => tar.toString("utf8", start, start + size);
    if (kind === "x") longName = /\d+ path=(.*)\n/.exec(text())?.[1];
    else {
      const full = longName ?? [field(345, 155), field(0, 100)].filter(Boolean).join("/");
      longName = undefined;
      yield { path: full.replace(/^[^/]+\//, ""), text };
    }
    at = start + 512 * Math.ceil(size / 512);
  }
}
