/**
 * The kernels of the library; scripts/build-kernels.mjs compiles and embeds them. Of a kernel with a type parameter, the type
 * of the rows, it exports two: name64 for float64 rows and name32 for float32 rows. `part` is the calling thread's number.
 */
export { fillNormal } from "./normal";
export { circulantComplex, circulantReal } from "./circulant";
export { logisticGradient, logisticLoss, normalGradient, squaresGradient } from "./gradient";
export { measureRows } from "./rows";
export { shiftRows } from "./shift";
export { scaleRows, shiftsRows } from "./shifts";
export { shiftsBlocks } from "./columns";
export { columnMeans, matchRows, meanRows, sparseRows } from "./gossip";
export { combineRows } from "./combine";
