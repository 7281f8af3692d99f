// Compiles a folder of AssemblyScript to WebAssembly with SIMD and writes it, as base64, to a module beside; nothing is
// done where that is newer than all its sources.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** `folder` and `file` lie under the package at `root`; the text is exported as `constant`. */
export async function assemble(root, folder, file, constant, more = []) {
  const source = fileURLToPath(new URL(`${folder}/`, root));
  const target = fileURLToPath(new URL(file, root));
  const names = readdirSync(source).filter((name) => name.endsWith(".ts"));
  const newest = Math.max(age(fileURLToPath(import.meta.url)), ...names.map((name) => age(source + name)));
  if (newest < age(target)) return;
  const flags = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "0"];
  let wasm;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags, ...more], {
    readFile: (name, base) => {
      try {
        return readFileSync(name.startsWith("/") ? name : `${base === "." ? source : base}/${name}`, "utf8");
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
  const lines = `// Written by scripts/build-kernels.mjs from ${folder}: ${wasm.length} bytes of WebAssembly.
export const ${constant} =
  "${Buffer.from(wasm).toString("base64")}";
`;
  writeFileSync(`${target}.part`, lines);
  renameSync(`${target}.part`, target);
}
