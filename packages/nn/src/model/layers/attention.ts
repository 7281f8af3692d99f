/**
 * Causal attention (Vaswani et al. 2017): every pixel is a position of a text, whose channels are its queries, its keys and
 * its values, head by head. In a head of s channels
 *
 *   y_i = sum over k <= i of P_ik v_k,   P_ik = softmax over k <= i of q_i . k_k / sqrt(s);
 *
 * dropout sets some of the P_ik to 0. A pixel comes out with a third of its channels.
 */

import { InputError, option } from "equitopo/internal/input";
import { attentionScratch, vectorBytes } from "../../kernel/kernels.ts";
import { bare, defineLayer, type Pass } from "../layer.ts";
import { drawMask, maskBytes } from "./elementwise.ts";

export const attention = defineLayer({
  name: "attention",
  summary: "every position averages what the positions before it say, weighted by how well their keys fit its query",
  options: { heads: option.whole(4, 1), dropout: option.share(0) },
  build({ heads, dropout }, input, building) {
    const { height, width, pitch } = input;
    const size = input.channels / 3 / heads;
    if (size % 4 !== 0) {
      const rule = `attention of ${heads} heads reads ${12 * heads} channels or a multiple of them`;
      throw new InputError(rule, input.channels, `put { kind: linear, units: ${12 * heads} } before it`);
    }
    const length = height * width;
    const columns = Math.ceil(length / 8) * 8;
    const ordinal = building.dropouts++;
    const weights = (images: number) => images * heads * length * columns;
    const shape = (images: number) => [images, length, heads, size, columns] as const;
    const weightBytes = (images: number) => vectorBytes(4 * weights(images));
    const isDropping = ({ training }: Pick<Pass, "training">) => training && dropout > 0;
    return {
      ...{ ...bare, output: { ...input, channels: heads * size, pitch: pitch / 3 } },
      savedBytes: (images) => weightBytes(images) + (dropout > 0 ? maskBytes(weights(images)) : 0),
      scratchBytes: () => attentionScratch(length, size),
      forward(pass, { x, y, saved, scratch }) {
        const mask = isDropping(pass) ? saved + weightBytes(pass.images) : 0;
        if (mask !== 0) drawMask(pass, mask, weights(pass.images), dropout, ordinal);
        pass.call.attention(x, ...shape(pass.images), mask, saved, y, scratch);
      },
      backward(pass, { x, dy, dx, saved, scratch }) {
        if (dx === 0) return;
        const mask = isDropping(pass) ? saved + weightBytes(pass.images) : 0;
        pass.call.attentionGradient(x, dy, ...shape(pass.images), mask, saved, dx, scratch);
      },
    };
  },
});
