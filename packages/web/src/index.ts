/** Browsers as peers: links, the lane over them, rooms with seats. Runs in a page, in a worker and in Node. */

export type { Link, LinkListener } from "./link/link.ts";
export { encodeRuns, handedRuns } from "./room/handed-runs.ts";
export { type Invite, inviteLink, parseInvite, roomProof, signalUrl } from "./room/invite.ts";
export { browserLinks, requireFewLinks } from "./room/limits.ts";
export { isLoopbackHost, isSafeSocket } from "./room/loopback.ts";
export {
  type FromRoom,
  type Join,
  type Listening,
  messageBytes,
  type Occupant,
  protocolVersion,
  type Refusal,
  readFromRoom,
  readToRoom,
  type Seat,
  type ToRoom,
  type Wanted,
} from "./room/protocol.ts";
export { addressBytes, addressed, addressOf } from "./room/relay.ts";
export { readReport, reportLengthFor } from "./room/report.ts";
export { type RelayCount, Room, type RoomAction, type RoomOptions, type SeatView } from "./room/room.ts";
