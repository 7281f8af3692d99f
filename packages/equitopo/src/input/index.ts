/** Checks of what a caller hands in, options and registries: the subpath `equitopo/input`. */

export * from "./input.ts";
export * from "./option.ts";
export * from "./registry.ts";
