/** The kernels of the library, one file a kernel; scripts/build-kernels.mjs compiles and embeds them. */
export { fillNormal } from "./normal";
export { circulantComplex, circulantReal } from "./circulant";
export { logisticGradient, logisticLoss, normalGradient, squaresGradient } from "./gradient";
