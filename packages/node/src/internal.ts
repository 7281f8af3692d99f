/** What `@equitopo/node` exported before it was cut down to what programs need; outside semantic versioning. */

export {
  decodeEvent,
  type EndEvent,
  encodeEvent,
  type PeerEvent,
  type PeerFaults,
  type RecordEvent,
  type RoundEvent,
  reportingPeer,
} from "equitopo/internal/peer";
export * from "./index.ts";
export type { TransportFamily as TransportMember } from "./launch.ts";
export { RoutedLane } from "./routes/route.ts";
export { dialLink } from "./server/link-server.ts";
