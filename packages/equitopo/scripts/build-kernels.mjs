// Compiles src/kernel/assembly to WebAssembly with SIMD and writes it, as base64, to src/kernel/wasm.ts; and once more,
// for a memory that threads share, to src/threads/wasm.ts (a module imports either one kind of memory or the other).
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const assembly = fileURLToPath(new URL("../src/kernel/assembly/", import.meta.url));
const sources = [...readdirSync(assembly).map((name) => assembly + name), fileURLToPath(import.meta.url)];
const age = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = Math.max(...sources.map(age));

await build("../src/kernel/wasm.ts", "wasmBase64", []);
await build("../src/threads/wasm.ts", "sharedWasmBase64", [
  ...["--enable", "threads", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
]);

async function build(file, constant, more) {
  const target = fileURLToPath(new URL(file, import.meta.url));
  if (newest < age(target)) return;
  const flags = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "0"];
  let wasm;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags, ...more], {
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
export const ${constant} =
  "${Buffer.from(wasm).toString("base64")}";
`;
  writeFileSync(`${target}.part`, lines);
  renameSync(`${target}.part`, target);
}
