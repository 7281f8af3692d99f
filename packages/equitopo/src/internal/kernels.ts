/** What `equitopo/kernels` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../kernel/instance.ts";
