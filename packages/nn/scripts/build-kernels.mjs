// The kernels of networks.
import { assemble } from "../../equitopo/scripts/assemble.mjs";

await assemble(new URL("../", import.meta.url), "src/kernel/assembly", "src/kernel/wasm.ts", "wasmBase64");
