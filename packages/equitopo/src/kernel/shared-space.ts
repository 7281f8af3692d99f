/** A space that threads share (space.ts): one makes its memory, and each joins it with a desk of its own. */

import { compileKernels, instanceOf, type Memory, sharedMemory } from "./instance.ts";
import { openSpace, spaceIn } from "./space.ts";
import { sharedWasmBase64 } from "./wasm-shared.ts";

/** The most that a wasm memory can be. */
const mostBytes = 2 ** 32;

let module: object | null | undefined;

/** Memory for a space; undefined where there is no wasm SIMD, or no room for so much. */
export function newSharedSpace(bytes: number): Memory<SharedArrayBuffer> | undefined {
  module ??= compileKernels(sharedWasmBase64);
  try {
    return module === null || bytes > mostBytes ? undefined : sharedMemory(bytes);
  } catch {
    return undefined;
  }
}

export function joinSharedSpace(memory: Memory<SharedArrayBuffer>, desk: number): void {
  module ??= compileKernels(sharedWasmBase64);
  if (module !== null) openSpace(spaceIn(instanceOf(module, memory), desk));
}
