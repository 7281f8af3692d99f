/**
 * The kernels of networks: two wasm modules, embedded as text; those that only texts need are the second, which a page that
 * trains none leaves out (packages/studio/scripts/build.mjs). An instance works on the memory it is given, its own or one
 * that many instances share, at the byte offsets it is handed; it keeps nothing between calls.
 */

import { compileKernels, instanceOf, type Memory, newMemory } from "equitopo/internal/kernels";
import { type Exports as TextExports, textWasmBase64 } from "./text-wasm.ts";
import { type Exports as ImageExports, wasmBase64 } from "./wasm.ts";

/** The kernels. Pointers are byte offsets into the instance's memory, flags 0 or 1. */
export interface Exports extends ImageExports, TextExports {}

export type NnMemory = Memory<ArrayBufferLike>;

/** The geometry of a convolution: images of h x w pixels, `pitch` numbers apart, and what comes out. */
export type ConvolutionGeometry = Readonly<
  Record<"h" | "w" | "pitch" | "ic" | "pad" | "stride" | "kh" | "kw" | "oh" | "ow" | "oc" | "outPitch", number>
>;

export interface NnKernels {
  readonly call: Exports;
  readonly memory: NnMemory;
}

/** The modules, compiled once. */
let modules: readonly object[] | undefined;

/**
 * An instance on a new memory of at least `bytes`, or on a memory that is there already. Growing a memory detaches every
 * view of it: make it large enough from the start.
 */
export function createNnKernels(memory: number | NnMemory): NnKernels {
  const own = typeof memory === "number" ? newMemory(memory) : memory;
  modules ??= [wasmBase64, textWasmBase64].filter((text) => text !== "").map(compiled);
  const calls = modules.map((module) => instanceOf<Exports, ArrayBufferLike>(module, own).call);
  return { call: Object.assign({}, ...calls) as Exports, memory: own };
}

function compiled(text: string): object {
  const module = compileKernels(text);
  if (module !== null) return module;
  throw new Error("training needs WebAssembly with SIMD, which this engine does not have");
}

/** A number of bytes rounded up to whole vectors. */
export const vectorBytes = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/** Channels rounded up to whole vectors: the pitch of an activation. */
export const pitchOf = (channels: number): number => Math.ceil(channels / 4) * 4;

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

/** Bytes of scratch for attention and its gradient over texts of so many positions, with heads of `size` channels. */
export const attentionScratch = (length: number, size: number): number =>
  4 * (length * 8 * Math.ceil(length / 8) + 2 * length * size + 8 * (Math.max(length, size) + 1));

/** Rows that the gradient of a weight matrix takes together, and its bytes of scratch. */
export const rowsTogether = 256;
export const rowsScratch = (ic: number, outPitch: number): number =>
  4 * (rowsTogether * ic + (rowsTogether + 1) * outPitch);
