// Compiles the kernels to WebAssembly with SIMD and writes them, as base64, beside their sources: src/kernel/assembly to
// wasm.ts, src/kernel/assembly/nn to wasm-nn.ts.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const kernel = fileURLToPath(new URL("../src/kernel/", import.meta.url));
const modules = [
  { folder: `${kernel}assembly/`, target: `${kernel}wasm.ts`, limits: [] },
  // The memory of training may be a shared one; its import names a maximum, as shared memories must.
  { folder: `${kernel}assembly/nn/`, target: `${kernel}wasm-nn.ts`, limits: ["--maximumMemory", "65536"] },
];
const flags = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "0"];
const age = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

for (const { folder, target, limits } of modules) {
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const newest = Math.max(age(fileURLToPath(import.meta.url)), ...sources.map((name) => age(folder + name)));
  if (newest < age(target)) continue;
  let wasm;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags, ...limits], {
    readFile: (name, base) => {
      try {
        return readFileSync(name.startsWith("/") ? name : `${base === "." ? folder : base}/${name}`, "utf8");
      } catch {
        return null;
      }
    },
    writeFile: (_name, contents) => {
      wasm = contents;
    },
    listFiles: () => [],
  });
  if (error) {
    console.error(stderr.toString());
    throw error;
  }
  const lines = `// Written by scripts/build-kernels.mjs from ${folder.slice(folder.indexOf("src/"), -1)}: ${wasm.length} bytes of WebAssembly.
export const wasmBase64 =
  "${Buffer.from(wasm).toString("base64")}";
`;
  writeFileSync(`${target}.part`, lines);
  renameSync(`${target}.part`, target);
}
