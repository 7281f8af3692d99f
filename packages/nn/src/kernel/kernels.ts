/**
 * The kernels of networks: a wasm module, embedded as text. An instance works on the memory it is given, its own or one
 * that many instances share, at the byte offsets it is handed; it keeps nothing between calls.
 */

import type { NnExports } from "./exports.ts";
import { wasmBase64 } from "./wasm.ts";

/** What WebAssembly looks like, for a library that is typed without the DOM and without Node. */
export interface NnMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
  Memory: new (limits: { initial: number }) => NnMemory;
};
declare function atob(text: string): string;

/** The geometry of a convolution: images of h x w pixels, `pitch` numbers apart, and what comes out. */
export interface ConvolutionGeometry {
  readonly h: number;
  readonly w: number;
  readonly pitch: number;
  readonly ic: number;
  readonly pad: number;
  readonly stride: number;
  readonly kh: number;
  readonly kw: number;
  readonly oh: number;
  readonly ow: number;
  readonly oc: number;
  readonly outPitch: number;
}

export interface NnKernels {
  readonly call: NnExports;
  readonly memory: NnMemory;
}

const PAGE = 65536;
let module: object | undefined;

/** The module, compiled once. */
function nnModule(): object {
  if (module === undefined) {
    const bytes = Uint8Array.from(atob(wasmBase64), (c) => c.charCodeAt(0));
    try {
      module = new WebAssembly.Module(bytes);
    } catch (cause) {
      throw new Error("training needs WebAssembly with SIMD, which this engine does not have", { cause });
    }
  }
  return module;
}

/**
 * An instance on a new memory of at least `bytes`, or on a memory that is there already. Growing a memory detaches every
 * view of it: make it large enough from the start.
 */
export function createNnKernels(memory: number | NnMemory): NnKernels {
  const own =
    typeof memory === "number" ? new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(memory / PAGE)) }) : memory;
  const instance = new WebAssembly.Instance(nnModule(), { env: { memory: own } });
  return { call: instance.exports as NnExports, memory: own };
}

/** A number of bytes rounded up to whole vectors. */
export function vectorBytes(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

/** Channels rounded up to whole vectors: the pitch of an activation. */
export function pitchOf(channels: number): number {
  return Math.ceil(channels / 4) * 4;
}

/** Bytes of scratch for sgemm. */
export function sgemmScratch(m: number, n: number, k: number, transposeA: boolean): number {
  const padded = pitchOf(n);
  return 4 * ((k + 1) * padded + (transposeA ? m * k : 0) + (n % 4 === 0 ? 0 : m * padded));
}

/** Bytes of scratch for convolve and its two gradients. */
export function convolveScratch(g: ConvolutionGeometry): number {
  const { h, w, ic, pad, kh, kw, oh, ow, oc, outPitch } = g;
  const pitch = pitchOf(g.pitch);
  const image = pad > 0 ? (h + 2 * pad) * (w + 2 * pad) * pitch : 0;
  const forward = (kh * kw * ic + 1) * outPitch + image;
  const weights = kh * kw * pitch * outPitch + image;
  const gather = (kh * kw * oc + 1) * pitch + (oh + 2 * kh - 2) * (ow + 2 * kw - 2) * outPitch;
  const scatter = (2 * kh * kw * oc + kh * kw) * pitch + image;
  return vectorBytes(4 * Math.max(forward, weights, gather, scatter));
}
