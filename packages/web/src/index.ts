/** Browsers as peers: links, the lane over them, rooms with seats. Runs in a page, in a worker and in Node. */

export { forgetPlace, indexedStore } from "./browser/indexed-store.ts";
export { holdLock, whenPageGoes } from "./browser/page-hooks.ts";
export { type RemoteRtc, remoteRtc } from "./browser/remote-rtc.ts";
export { hostRtc, type WorkerPort } from "./browser/rtc-host.ts";
export { forgetSeat, rememberedSeat, rememberSeat, type SeatMemory } from "./browser/seat-memory.ts";
export { LinkLane, type LinkLaneOptions } from "./lane/link-lane.ts";
export { type LinkOptions, LinkTransport } from "./lane/link-transport.ts";
export { type Fingerprints, fingerprintOf } from "./link/binding.ts";
export { type BrowserRtcOptions, browserRtc } from "./link/browser-rtc.ts";
export { type Channel, openChannel } from "./link/channel-link.ts";
export { Connection, type ConnectionOptions, type RtcEngine } from "./link/connection.ts";
export { type DialOptions, dialSocket } from "./link/dial-socket.ts";
export { type Introduced, type IntroduceOptions, introduce, specHash } from "./link/introduce.ts";
export {
  backlogBytes,
  type Link,
  type LinkKind,
  type LinkListener,
  pieceBytes,
} from "./link/link.ts";
export { isLoopbackHost } from "./link/loopback.ts";
export { openTimeout } from "./link/opening.ts";
export { bridge, type Port, portLink } from "./link/port-link.ts";
export { LinkRefused } from "./link/refused.ts";
export { Relay, relayHeader, relayHeaderBytes } from "./link/relay-link.ts";
export { canSeal } from "./link/sealed-link.ts";
export { checkAddress, openSocket, type Socket } from "./link/socket-link.ts";
export { LiveBoard, type LiveCurve, type LivePeer, type LiveSource } from "./live/board.ts";
export {
  decodeLive,
  encodeLive,
  type LiveEvent,
  type LiveFaults,
  type LiveLine,
  type LiveRound,
  type LiveSpec,
} from "./live/event.ts";
export { type WatchOptions, watchLive } from "./live/watch.ts";
export { encodeRuns, handedRuns } from "./room/handed-runs.ts";
export { type Invite, inviteLink, keyBytes, parseInvite, roomBytes, roomProof, signalUrl } from "./room/invite.ts";
export { browserLinks, requireFewLinks } from "./room/limits.ts";
export type { SignalSocket } from "./room/line.ts";
export {
  type LaneOptions,
  Member,
  type MemberOptions,
  type MemberView,
  type TellingLinks,
} from "./room/member.ts";
export type { RtcEnd } from "./room/opening.ts";
export type { Patience } from "./room/pair.ts";
export type { Links, PairView } from "./room/pairs.ts";
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
export { RoomRefused, ServerGone } from "./room/refused.ts";
export { relayAddress } from "./room/relay.ts";
export { readReport, reportLengthFor } from "./room/report.ts";
export { type RelayCount, Room, type RoomAction, type RoomOptions, type SeatView } from "./room/room.ts";
