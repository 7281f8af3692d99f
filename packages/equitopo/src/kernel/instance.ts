/**
 * The wasm kernels: one small module, embedded as text so that neither Node nor a bundler has to load a file.
 * Where WebAssembly SIMD is missing there is no module, and every caller falls back to its plain reference.
 */

import type { GossipExports } from "./gossip-calls.ts";
import { wasmBase64 } from "./wasm.ts";

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

/** The exported functions; pointers are byte offsets into the instance's memory. */
export interface KernelExports {
  fillNormal(
    out: number,
    groups: number,
    index: number,
    seedLow: number,
    seedHigh: number,
    stream: number,
    roundLow: number,
    roundHigh: number,
  ): void;
  circulantComplex(near: number, pairs: number, far: number, rows: number, m: number, self: number, out: number): void;
  circulantReal(near: number, pairs: number, far: number, rows: number, m: number, self: number, out: number): void;
  combineRows32(y: number, rows: number, stride: number, sources: number, weights: number, count: number): void;
  combineRows64(y: number, rows: number, stride: number, sources: number, weights: number, count: number): void;
  squaresGradient(
    features: number,
    targets: number,
    samples: number,
    d: number,
    x: number,
    out: number,
    count: number,
    noise: number,
    sigma: number,
    scratch: number,
  ): void;
  normalGradient(normal: number, d: number, x: number, out: number, count: number, noise: number, sigma: number): void;
  logisticGradient(
    features: number,
    samples: number,
    d: number,
    x: number,
    out: number,
    count: number,
    noise: number,
    sigma: number,
    r: number,
    scratch: number,
  ): void;
  logisticLoss(
    features: number,
    samples: number,
    d: number,
    x: number,
    out: number,
    count: number,
    scratch: number,
  ): void;
  /** The speed of memory, as these kernels see it: y = a (1), y = (a + b) / 2 (2), or a and b change places (0, y = b). */
  stream64(a: number, b: number, y: number, reads: 0 | 1 | 2, count: number): void;
}

export interface Kernels<B extends ArrayBufferLike = ArrayBuffer> {
  readonly call: KernelExports & GossipExports;
  readonly memory: Memory<B>;
}

export const PAGE = 65536;
let compiled: object | null | undefined;
let scratch: Kernels | undefined;

/** The compiled module, made once; null where the engine cannot (no wasm SIMD). */
function kernelModule(): object | null {
  if (compiled === undefined) compiled = compileKernels(wasmBase64);
  return compiled;
}

/** A module from its text; null where the engine cannot. */
export function compileKernels(base64: string): object | null {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** An instance of the module for shared memory, with a memory of its own that other threads can be given. */
export function createSharedKernels(module: object, bytes: number): Kernels<SharedArrayBuffer> {
  const pages = Math.ceil(bytes / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  return { call: instance.exports as Kernels["call"], memory };
}

/** A new instance with its own memory of at least `bytes`; null where there is no wasm SIMD. */
export function createKernels(bytes: number): Kernels | null {
  const module = kernelModule();
  if (module === null) return null;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  return { call: instance.exports as Kernels["call"], memory };
}

/**
 * An instance for calls that copy in, compute and copy out before they return; its memory holds nothing between calls.
 * Growing detaches earlier views: take them after this call, and keep none.
 */
export function scratchKernels(bytes: number): Kernels | null {
  if (scratch === undefined) {
    const made = createKernels(bytes);
    if (made === null) return null;
    scratch = made;
  }
  const missing = bytes - scratch.memory.buffer.byteLength;
  if (missing > 0) scratch.memory.grow(Math.ceil(missing / PAGE));
  return scratch;
}
