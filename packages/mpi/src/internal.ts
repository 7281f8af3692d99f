/** What `@equitopo/mpi` exported before it was cut down to what programs need; outside semantic versioning. */

export { type Addon, loadAddon } from "./addon.ts";
export * from "./index.ts";
