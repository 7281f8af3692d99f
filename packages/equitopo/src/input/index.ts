/** Checks of what a caller hands in, options and registries: the subpath `equitopo/input`. */

export * from "./input.ts";
export * from "./option.ts";
export { addPlugin, type Plugin, type Registries } from "./plugin.ts";
export * from "./registry.ts";
