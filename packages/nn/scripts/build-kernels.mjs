// The kernels of networks, and in a module of their own those that only networks of texts call.
import { assemble } from "../../equitopo/scripts/assemble.mjs";

const root = new URL("../", import.meta.url);
await assemble(root, "src/kernel/assembly", "src/kernel/wasm.ts", "wasmBase64");
await assemble(root, "src/kernel/assembly", "src/kernel/text-wasm.ts", "textWasmBase64", [], "text.ts");
