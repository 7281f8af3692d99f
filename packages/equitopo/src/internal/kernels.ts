/** What `equitopo/kernels` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../kernel/instance.ts";
export * from "../kernel/shared-space.ts";
export { deskBytes } from "../kernel/space.ts";
