/** What `equitopo/shared` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../round/shared-mixer.ts";
