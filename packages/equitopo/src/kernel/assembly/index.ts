/** The kernels of the library, one file a kernel; scripts/build-kernels.mjs compiles and embeds them. */
export { fillNormal } from "./normal";
export { circulantComplex, circulantReal } from "./circulant";
export { combineRows32, combineRows64 } from "./combine";
