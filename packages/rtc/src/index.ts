/** WebRTC data channels for Node peers: for browsers that cannot reach a peer by WebSocket. Optional, as its binaries are. */

export { type NodeRtc, type NodeRtcOptions, nodeRtc } from "./engine.ts";
export { closeRtc, RtcError } from "./load.ts";
