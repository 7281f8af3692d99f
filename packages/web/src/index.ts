/** Browsers as peers: links, the lane over them, rooms with seats. Runs in a page, in a worker and in Node. */

export { indexedStore } from "./browser/indexed-store.ts";
export { type RemoteRtc, remoteRtc } from "./browser/remote-rtc.ts";
export { hostRtc, type WorkerPort } from "./browser/rtc-host.ts";
export { forgetSeat, rememberedSeat, rememberSeat, type SeatMemory } from "./browser/seat-memory.ts";
export { LinkLane, type LinkLaneOptions } from "./lane/link-lane.ts";
export { type LinkOptions, LinkTransport } from "./lane/link-transport.ts";
export { type Fingerprints, fingerprintOf } from "./link/binding.ts";
export { type BrowserRtcOptions, browserRtc } from "./link/browser-rtc.ts";
export type { Channel } from "./link/channel-link.ts";
export { Connection, type ConnectionOptions, type RtcEnd, type RtcEngine } from "./link/connection.ts";
export { type Introduced, type IntroduceOptions, introduce } from "./link/introduce.ts";
export { type Link, type LinkKind, type LinkListener, LinkRefused } from "./link/link.ts";
export { type Port, portLink } from "./link/port-link.ts";
export { checkAddress, type DialOptions, dialSocket, type Socket } from "./link/socket-link.ts";
export { LiveBoard, type LiveCurve, type LivePeer, type LiveSource } from "./live/board.ts";
export * from "./live/event.ts";
export { type WatchOptions, watchLive } from "./live/watch.ts";
export { type Invite, inviteLink, parseInvite, roomProof } from "./room/invite.ts";
export { browserLinks, requireFewLinks } from "./room/limits.ts";
export type { SignalSocket } from "./room/line.ts";
export * from "./room/member.ts";
export type { Patience } from "./room/pair.ts";
export type { Links, PairView } from "./room/pairs.ts";
export {
  type FormerSeat,
  type FromRoom,
  type Join,
  type Listening,
  type Occupant,
  type Refusal,
  RoomRefused,
  type Seat,
  ServerGone,
  type ToRoom,
} from "./room/protocol.ts";
export { type RelayCount, Room, type RoomAction, type RoomOptions, type SeatView } from "./room/room.ts";
export { encodeRuns } from "./room/runs-document.ts";
