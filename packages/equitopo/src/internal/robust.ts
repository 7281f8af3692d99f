/** What `equitopo/robust` exported before it was cut down to what programs need; outside semantic versioning. */

export { type DefenceFamily, type DefenceSpec, defineDefence } from "../robust/defence.ts";
export * from "../robust/index.ts";
