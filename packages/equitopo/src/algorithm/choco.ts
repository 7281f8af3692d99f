/**
 * CHOCO-SGD (Koloskova, Stich and Jaggi, 2019): gossip of compressed differences, with error feedback.
 *
 *   Xh = X - g G;   q = Q(Xh - H);   H+ = H + q;   S+ = S + W q;   X+ = Xh + c (S+ - H+);   H_0 = S_0 = 0.
 *
 * W static and symmetric; only q is mixed, so only q is sent. H is what the others know of X, S = W H is kept up with
 * it. Keeps the bias of DSGD over I + c (W - I).
 *
 * c must be the smaller, the harder the compression, or all blows up; unless given it is 4/5 of the share that top-k and
 * random-k keep, and 1/5 for quantise.
 */

import { auto, positiveShare, whole, word } from "../input/option.ts";
import { defineAlgorithm, initialState, oneExchange } from "./algorithm.ts";
import { type Compressor, quantise, randomK, topK } from "./compressor.ts";
import { staticSymmetric } from "./condition.ts";
import { add, descendGap, towardsMixed } from "./rows.ts";

function compressor(name: "top-k" | "random-k" | "quantise", d: number, keep: number, bits: number): Compressor {
  const k = Math.ceil(keep * d);
  return name === "top-k" ? topK(d, k) : name === "random-k" ? randomK(d, k) : quantise(d, bits);
}

export const choco = defineAlgorithm({
  name: "choco",
  summary: "DSGD that sends compressed differences",
  update: "Xh = X - g G; q = Q(Xh - H); H+ = H + q; S+ = S + W q; X+ = Xh + c(S+ - H+)",
  condition: staticSymmetric,
  exact: false,
  options: {
    compressor: word("top-k", "random-k", "quantise"),
    /** The share of coordinates that top-k and random-k keep. */
    keep: positiveShare(0.25),
    /** Of quantise. */
    bits: whole(4, 2, 16),
    /** c. */
    consensusStep: auto(positiveShare(0.2)),
  },
  sends: ({ compressor: name, keep, bits }) => ({
    vectors: 1,
    compressed: (d, size) => compressor(name, d, keep, bits).bytes(size),
  }),
  exchanges: oneExchange,
  states: { h: "share", s: "share" },
  start(world, { compressor: name, keep, bits, consensusStep }, saved) {
    const codec = compressor(name, world.d, keep, bits);
    const c = consensusStep !== "auto" ? consensusStep : name === "quantise" ? 0.2 : 0.8 * keep;
    let q = world.rows();
    const state = initialState(world, saved, { h: world.rows(), s: world.rows() });
    return {
      state,
      *iterate(t) {
        world.gradient(state.x, t, q);
        descendGap(state.x, q, state.h, world.learningRate(t));
        const coded = world.encode(codec, t, q);
        add(state.h, q);
        [q] = yield { vectors: [q], coded };
        towardsMixed(state.x, state.s, state.h, q, c);
      },
    };
  },
});
