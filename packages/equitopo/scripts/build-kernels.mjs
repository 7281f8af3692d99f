// Compiles src/kernel/assembly to WebAssembly with SIMD and writes it, as base64, to src/kernel/wasm.ts; and once more,
// for a memory that threads share, to src/threads/wasm.ts (a module imports either one kind of memory or the other).
// The kernels of training, src/kernel/assembly/nn, go to src/kernel/wasm-nn.ts.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

await build("src/kernel/assembly", "src/kernel/wasm.ts", "wasmBase64", []);
await build("src/kernel/assembly", "src/threads/wasm.ts", "sharedWasmBase64", [
  ...["--enable", "threads", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
]);
// One module for both kinds of memory: kernel/nn.ts turns its import, which names a maximum, into a shared one.
await build("src/kernel/assembly/nn", "src/kernel/wasm-nn.ts", "wasmBase64", ["--maximumMemory", "65536"]);

async function build(folder, file, constant, more) {
  const source = path(`../${folder}/`);
  const target = path(`../${file}`);
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
