/**
 * The wasm kernels: one small module, embedded as text so that neither Node nor a bundler has to load a file.
 * Where WebAssembly SIMD is missing there is no module, and every caller falls back to its plain reference.
 */

import { type Exports, wasmBase64 } from "./wasm.ts";

export type { Exports as KernelExports } from "./wasm.ts";

/** What WebAssembly and atob look like, for a library that is typed without the DOM and without Node. */
export interface Memory<B extends ArrayBufferLike = ArrayBuffer> {
  readonly buffer: B;
  grow(pages: number): number;
}
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
  Memory: {
    new (limits: { initial: number; maximum: number; shared: true }): Memory<SharedArrayBuffer>;
    new (limits: { initial: number }): Memory;
  };
};
declare function atob(text: string): string;

export interface Kernels<B extends ArrayBufferLike = ArrayBuffer> {
  readonly call: Exports;
  readonly memory: Memory<B>;
}

export const PAGE = 65536;
/** Compiled once; null where the engine cannot (no wasm SIMD). */
let compiled: object | null | undefined;
let scratch: Kernels | null | undefined;

/** A module from its text; null where the engine cannot. */
export function compileKernels(base64: string): object | null {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** A memory of at least `bytes`, one page at least. */
export const newMemory = (bytes: number) => new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) });

export function instanceOf<E = Exports, B extends ArrayBufferLike = ArrayBuffer>(module: object, memory: Memory<B>) {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return { call: exports as E, memory };
}

/** A memory of at least `bytes` that other threads can be given. */
export function sharedMemory(bytes: number): Memory<SharedArrayBuffer> {
  const pages = Math.ceil(bytes / PAGE);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** An instance of the module for shared memory, with a memory of its own. */
export function createSharedKernels(module: object, bytes: number): Kernels<SharedArrayBuffer> {
  return instanceOf(module, sharedMemory(bytes));
}

/** A new instance with its own memory of at least `bytes`; null where there is no wasm SIMD. */
export function createKernels(bytes: number): Kernels | null {
  if (compiled === undefined) compiled = compileKernels(wasmBase64);
  return compiled && instanceOf(compiled, newMemory(bytes));
}

/**
 * An instance for calls that copy in, compute and copy out before they return; its memory holds nothing between calls.
 * Growing detaches earlier views: take them after this call, and keep none.
 */
export function scratchKernels(bytes: number): Kernels | null {
  scratch ??= createKernels(bytes);
  if (scratch === null) return null;
  const missing = bytes - scratch.memory.buffer.byteLength;
  if (missing > 0) scratch.memory.grow(Math.ceil(missing / PAGE));
  return scratch;
}
