/** Checks of what a caller hands in, options and registries: the subpath `equitopo/input`. */

export * from "./input.ts";
export * as option from "./option.ts";
export { type Option, type Options, settle, type Values } from "./option.ts";
export { addPlugin, type Plugin, type Registries } from "./plugin.ts";
export { type Member, Registry } from "./registry.ts";
