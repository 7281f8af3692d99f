/** What `@equitopo/rtc` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "./index.ts";
export { loadRtc } from "./load.ts";
