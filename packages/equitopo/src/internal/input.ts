/** What `equitopo/input` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../input/index.ts";
export { defined, InputError, nearest, nearestAccepted } from "../input/input.ts";
export { isNpy } from "../input/npy.ts";
export { type Option, type Options, settle, type Values } from "../input/option.ts";
export type { AnyFamily as Member } from "../input/registry.ts";
export * from "../input/registry.ts";
export { Malformed, type Shape } from "../input/shape.ts";
export { utf8Text } from "../input/text.ts";
