/** Every compressor by name; plug-ins add theirs. choco takes a name, or a name with options. */

import { inside } from "../input/input.ts";
import { type Options, positiveShare, settle, type Values, whole } from "../input/option.ts";
import { type AnyFamily, Registry } from "../input/registry.ts";
import { type Compressor, quantise, randomK, topK } from "./compressor.ts";

/** A member of the registry of compressors. */
export interface CompressorFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  /** For vectors of d numbers. */
  create(d: number, options: Values<O>): Compressor;
  /** CHOCO-SGD's consensus step c by default: the harder the compression, the smaller it is. */
  consensusStep(options: Values<O>): number;
}

/** A member for `compressors.add` or a plug-in, its options' types inferred. */
export const defineCompressor = <O extends Options>(member: CompressorFamily<O>): CompressorFamily<O> => member;

/** The share of coordinates that are kept, and a consensus step that is stable for most problems. */
const kept = {
  options: { keep: positiveShare(0.25) },
  consensusStep: ({ keep }: { readonly keep: number }) => 0.8 * keep,
};

/** All compressors; plug-ins add theirs. */
export const compressors = new Registry<CompressorFamily>("compressor", [
  defineCompressor({
    name: "top-k",
    summary: "the share `keep` of the numbers, the largest",
    ...kept,
    create: (d, { keep }) => topK(d, Math.ceil(keep * d)),
  }),
  defineCompressor({
    name: "random-k",
    summary: "the share `keep` of the numbers, drawn at random",
    ...kept,
    create: (d, { keep }) => randomK(d, Math.ceil(keep * d)),
  }),
  defineCompressor({
    name: "quantise",
    summary: "`bits` bits per number",
    options: { bits: whole(4, 2, 16) },
    create: (d, { bits }) => quantise(d, bits),
    consensusStep: () => 0.2,
  }),
]);

/** A name, or a name with options beside it: plain JSON. */
export type CompressorSpec = string | { readonly name: string; readonly [option: string]: unknown };

/** A compressor with its options settled. Those in `shared` are used if the compressor has an option of that name. */
export function settleCompressor(spec: CompressorSpec, shared: Readonly<Record<string, unknown>> = {}) {
  const { name, ...own } = typeof spec === "object" && spec !== null ? spec : { name: spec };
  const member = compressors.get(name);
  const known = Object.fromEntries(Object.entries(shared).filter(([key]) => key in member.options));
  const options = inside(name, () => settle(name, member.options, { ...known, ...own }));
  return { create: (d: number) => member.create(d, options), consensusStep: member.consensusStep(options) };
}
