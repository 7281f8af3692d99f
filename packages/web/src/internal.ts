/** What `@equitopo/web` exported before it was cut down to what programs need; outside semantic versioning. */

export { forgetPlace } from "./browser/indexed-store.ts";
export * from "./browser/page-hooks.ts";
export * from "./index.ts";
export { isLoopbackHost } from "./link/binding.ts";
export { openChannel } from "./link/channel-link.ts";
export { specHash } from "./link/introduce.ts";
export { backlogBytes, openTimeout, pieceBytes } from "./link/link.ts";
export { bridge } from "./link/port-link.ts";
export * from "./link/relay-link.ts";
export { canSeal } from "./link/seal.ts";
export { openSocket } from "./link/socket-link.ts";
export { openAbout, sealAbout } from "./room/about.ts";
export { keyBytes, roomBytes, signalUrl } from "./room/invite.ts";
export type { FormerSeat as Wanted } from "./room/protocol.ts";
export { messageBytes, pieceLength, protocolVersion, readFromRoom, readToRoom, sameSecret } from "./room/protocol.ts";
export { readReport, reportLengthFor, reportSender } from "./room/report.ts";
export { handedRuns } from "./room/runs-document.ts";
