/**
 * CHOCO-SGD (Koloskova, Stich and Jaggi, 2019): gossip of compressed differences, with error feedback.
 *
 *   Xh = X - g G;   q = Q(Xh - H);   H+ = H + q;   S+ = S + W q;   X+ = Xh + c (S+ - H+);   H_0 = S_0 = 0.
 *
 * W static and symmetric; only q is mixed, so only q is sent. H is what the others know of X, and S = W H is updated with it.
 * Keeps the bias of DSGD over I + c (W - I).
 *
 * The harder the compression, the smaller c must be, or the models diverge. Unless given it is 4/5 of the share that top-k
 * and random-k keep, and 1/5 for quantise.
 */

import { inside } from "../input/input.ts";
import { auto, type Option, positiveShare, whole } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { type CompressorSpec, settleCompressor } from "./compressors.ts";
import { staticSymmetric } from "./condition.ts";
import { iterations } from "./iterations.ts";

const compressor: Option<CompressorSpec> = {
  default: "top-k",
  range: "a compressor by name, or { name, ...options }",
  check(name, value) {
    inside(name, () => settleCompressor(value as CompressorSpec));
    return value as CompressorSpec;
  },
};

export const choco = defineAlgorithm({
  name: "choco",
  summary: "DSGD that sends compressed differences",
  update: "Xh = X - g G; q = Q(Xh - H); H+ = H + q; S+ = S + W q; X+ = Xh + c(S+ - H+)",
  condition: staticSymmetric,
  options: {
    compressor,
    /** The share of coordinates that top-k and random-k keep, if the compressor is a bare name. */
    keep: positiveShare(0.25),
    /** Of quantise, likewise. */
    bits: whole(4, 2, 16),
    /** c. */
    consensusStep: auto(positiveShare(0.2)),
  },
  sends: ({ compressor: spec, keep, bits }) => ({
    vectors: 1,
    compressed: (d, size) => settleCompressor(spec, { keep, bits }).create(d).bytes(size),
  }),
  states: { h: "share", s: "share" },
  start(world, { compressor: spec, keep, bits, consensusStep }, saved) {
    const chosen = settleCompressor(spec, { keep, bits });
    const codec = chosen.create(world.d);
    const c = consensusStep === "auto" ? chosen.consensusStep : consensusStep;
    let q = world.rows();
    return iterations(world, saved, { h: world.rows(), s: world.rows() }, function* (state, t) {
      world.gradient(state.x, t, q);
      world.passes.descendGap(state.x, q, state.h, world.learningRate(t));
      const coded = world.encode(codec, t, q);
      world.passes.add(state.h, q);
      [q] = yield { vectors: [q], coded };
      world.passes.towardsMixed(state.x, state.s, state.h, q, c);
    });
  },
});
