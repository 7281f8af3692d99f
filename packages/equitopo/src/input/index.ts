/** Checks of what a caller hands in, options and registries: the subpath `equitopo/input`. */

export { inside, integer, nodes, nonnegative, oneOf, onlyKeys, real } from "./input.ts";
export { encodeNpy, type NamedBytes, type NpyArray, npyHeader, parseNpy } from "./npy.ts";
export type { Given } from "./option.ts";
export * as option from "./option.ts";
export { addPlugin, type Plugin, type Registries } from "./plugin.ts";
export * as shape from "./shape.ts";
export { type TableLine, tableLines } from "./table.ts";
