// Compiles src/kernel/assembly to WebAssembly with SIMD and writes it, as base64, to src/kernel/wasm.ts.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const assembly = fileURLToPath(new URL("../src/kernel/assembly/", import.meta.url));
const target = fileURLToPath(new URL("../src/kernel/wasm.ts", import.meta.url));
const sources = [...readdirSync(assembly).map((name) => assembly + name), fileURLToPath(import.meta.url)];
const age = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (Math.max(...sources.map(age)) >= age(target)) {
  const flags = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "0"];
  let wasm;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags], {
    readFile: (name, base) => {
      try {
        return readFileSync(name.startsWith("/") ? name : `${base === "." ? assembly : base}/${name}`, "utf8");
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
  const lines = `// Written by scripts/build-kernels.mjs from src/kernel/assembly: ${wasm.length} bytes of WebAssembly.
export const wasmBase64 =
  "${Buffer.from(wasm).toString("base64")}";
`;
  writeFileSync(`${target}.part`, lines);
  renameSync(`${target}.part`, target);
}
