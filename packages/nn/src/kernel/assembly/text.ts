/** The kernels of texts, by the rules of index.ts: a module of their own, for pages that train none can do without it. */
export { attention, attentionGradient } from "./attention";
export { gelu, geluGradient } from "./gelu";
export { layerNorm, layerNormGradient } from "./layer-norm";
export { tokenLoss } from "./token-loss";
export { rowsWeightGradient } from "./row-products";
