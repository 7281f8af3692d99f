/** What `@equitopo/node` exported before it was cut down to what programs need; outside semantic versioning. */

export type { EndEvent, PeerEvent, PeerFaults, RecordEvent, RoundEvent } from "equitopo/internal/peer";
export { decodeEvent, encodeEvent, reportingPeer } from "equitopo/internal/peer";
export * from "./index.ts";
export type { TransportFamily as TransportMember } from "./launch.ts";
export { policyOf, safeHeaders } from "./room/page.ts";
export { RoutedLane } from "./routes/route.ts";
export { dialLink } from "./server/link-server.ts";
export { closeServer, listening } from "./server/listen.ts";
