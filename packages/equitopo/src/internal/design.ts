/** What `equitopo/design` exported before it was cut down to what programs need; outside semantic versioning. */

export { attained, type Design, type DesignCertificate, designOn } from "../design/design.ts";
export * from "../design/designer.ts";
export { exhaust, isExhaustible } from "../design/exhaust.ts";
export * from "../design/index.ts";
export * from "../design/one-peer.ts";
export * from "../design/search.ts";
export { Waves } from "../design/spectrum.ts";
export { columnsOf, type Question } from "../design/support.ts";
export { bestDesign, type TabledDesign, tabledDesign, tabledQuestions } from "../design/table.ts";
export * from "../design/weights.ts";
