/** The kernels of the library, one file a kernel; scripts/build-kernels.mjs compiles and embeds them. */
export { fillNormal } from "./normal";
export { circulantComplex, circulantReal } from "./circulant";
export { logisticGradient, logisticLoss, normalGradient, squaresGradient } from "./gradient";
export { measureRows32, measureRows64 } from "./rows";
export { shiftRows32, shiftRows64, stream64 } from "./shift";
export { scaleRows32, scaleRows64, shiftsRows32, shiftsRows64 } from "./shifts";
export { shiftsBlocks32, shiftsBlocks64 } from "./columns";
export {
  columnMeans32, columnMeans64, matchRows32, matchRows64, meanRows32, meanRows64, sparseRows32, sparseRows64,
} from "./gossip";
export { combineRows32, combineRows64 } from "./combine";
