// The kernels of gossip and of linear problems, and the same once more for a memory that threads share (a module imports
// either one kind of memory or the other).
import { assemble } from "./assemble.mjs";

const root = new URL("../", import.meta.url);
await assemble(root, "src/kernel/assembly", "src/kernel/wasm.ts", "wasmBase64");
await assemble(root, "src/kernel/assembly", "src/kernel/wasm-shared.ts", "sharedWasmBase64", [
  ...["--enable", "threads", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
]);
