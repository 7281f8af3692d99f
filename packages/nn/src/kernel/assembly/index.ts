/**
 * The kernels of training: single precision, plain SIMD. Pointers and strides are bytes, counts are numbers.
 * Nothing is static: every instance works wherever it is pointed, with the scratch it is handed, so that many instances
 * may share one memory.
 *
 * Activations are NHWC with the channels of a pixel `pitch` numbers apart, pitch a multiple of four and the numbers past
 * the last channel zero; only the input of a network may be packed more tightly.
 */
export { convolve, convolveInputGradient, convolveWeightGradient } from "./convolve";
export { addRows, columnSums, copyRows, scaleColumns } from "./rows";
export { maxPool, maxPoolGradient, averagePool, averagePoolGradient, shortcut, shortcutGradient } from "./pool";
export { moments, normalise, normaliseGradient } from "./norm";
export { crossEntropy } from "./loss";
export { dropoutMask, multiply, relu, reluGradient } from "./mask";
export { axpby, sgd } from "./update";
