/** Checks of what a caller hands in, options and registries: the subpath `equitopo/input`, for packages beside this one. */

export * from "./input.ts";
export * from "./option.ts";
export * from "./registry.ts";
