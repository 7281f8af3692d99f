<<<<<<< HEAD
// Compiles the kernels to WebAssembly with SIMD and embeds them as base64: src/kernel/assembly in kernel/wasm.ts and once
// more, for a memory that threads share, in threads/wasm.ts (a module imports either one kind of memory or the other);
// src/kernel/assembly/nn in kernel/wasm-nn.ts.
=======
// Compiles src/kernel/assembly to WebAssembly with SIMD and writes it, as base64, to src/kernel/wasm.ts; and once more,
// for a memory that threads share, to src/threads/wasm.ts (a module imports either one kind of memory or the other).
// The kernels of training, src/kernel/assembly/nn, go to src/kernel/wasm-nn.ts.
>>>>>>> 92045495a5e632eac99219d38fdfb8513df1d4a0
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

<<<<<<< HEAD
const source = fileURLToPath(new URL("../src/", import.meta.url));
const shared = ["--enable", "threads", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"];
const modules = [
  { folder: "kernel/assembly/", target: "kernel/wasm.ts", constant: "wasmBase64", memory: [] },
  { folder: "kernel/assembly/", target: "threads/wasm.ts", constant: "sharedWasmBase64", memory: shared },
  // The memory of training may be a shared one; its import names a maximum, as shared memories must.
  {
    folder: "kernel/assembly/nn/",
    target: "kernel/wasm-nn.ts",
    constant: "wasmBase64",
    memory: ["--maximumMemory", "65536"],
  },
];
const flags = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "0"];
const age = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

for (const { folder, target, constant, memory } of modules) {
  const names = readdirSync(source + folder).filter((name) => name.endsWith(".ts"));
  const newest = Math.max(age(fileURLToPath(import.meta.url)), ...names.map((name) => age(source + folder + name)));
  if (newest < age(source + target)) continue;
=======
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
>>>>>>> 92045495a5e632eac99219d38fdfb8513df1d4a0
  let wasm;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags, ...memory], {
    readFile: (name, base) => {
      try {
<<<<<<< HEAD
        return readFileSync(name.startsWith("/") ? name : `${base === "." ? source + folder : base}/${name}`, "utf8");
=======
        return readFileSync(name.startsWith("/") ? name : `${base === "." ? source : base}/${name}`, "utf8");
>>>>>>> 92045495a5e632eac99219d38fdfb8513df1d4a0
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
<<<<<<< HEAD
  const text = `// Written by scripts/build-kernels.mjs from src/${folder.slice(0, -1)}: ${wasm.length} bytes of WebAssembly.
=======
  const lines = `// Written by scripts/build-kernels.mjs from ${folder}: ${wasm.length} bytes of WebAssembly.
>>>>>>> 92045495a5e632eac99219d38fdfb8513df1d4a0
export const ${constant} =
  "${Buffer.from(wasm).toString("base64")}";
`;
  writeFileSync(`${source}${target}.part`, text);
  renameSync(`${source}${target}.part`, source + target);
}
