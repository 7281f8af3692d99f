/**
 * WebRTC in Node behind the five calls of @equitopo/web's connection.ts, by node-datachannel's native interface (its
 * browser-like one makes offers of its own accord, which collide with those that come in).
 */

import { networkInterfaces } from "node:os";
import { backlogBytes, type Channel, openChannel, type RtcEnd, type RtcEngine } from "@equitopo/web/internal";
import type { DataChannel, PeerConnection } from "node-datachannel";
import { loadRtc } from "./load.ts";

export interface NodeRtcOptions {
  /** STUN or TURN servers, as URLs. Default none: peers of one network find each other without. */
  readonly iceServers?: readonly string[];
  /** Milliseconds for the channel to open. Default 5 s. */
  readonly timeout?: number;
}

export type NodeRtc = RtcEnd;

/** Whether this machine has no network but its own. */
function alone(): boolean {
  return Object.values(networkInterfaces()).every((addresses) => addresses?.every(({ internal }) => internal));
}

/** One end of a connection. Rejects with an `RtcError` where there is no WebRTC here. */
export async function nodeRtc({ iceServers = [], timeout }: NodeRtcOptions = {}): Promise<NodeRtc> {
  const { PeerConnection } = await loadRtc();
  const connection = new PeerConnection("equitopo", {
    iceServers: [...iceServers],
    disableAutoNegotiation: true,
    ...(alone() ? { bindAddress: "127.0.0.1" } : {}),
  });
  const channel = connection.createDataChannel("equitopo", { negotiated: true, id: 0, unordered: false });
  const link = openChannel(channelOf(channel, connection), timeout);
  // Whoever awaits it handles the rejection; that of a connection that was given up is ignored.
  link.catch(() => {});
  return { engine: engineOf(connection), link };
}

function engineOf(connection: PeerConnection): RtcEngine {
  let described: (sdp: string) => void = () => {};
  connection.onLocalDescription((sdp) => described(sdp));
  return {
    describe: (kind) =>
      new Promise((resolve) => {
        described = resolve;
        connection.setLocalDescription(kind);
      }),
    async accept(kind, sdp) {
      connection.setRemoteDescription(sdp, kind);
    },
    async add(candidate) {
      const { candidate: address, sdpMid } = candidate as RTCIceCandidateInit;
      // A browser says with an empty one that there are no more.
      if (address) connection.addRemoteCandidate(address, sdpMid ?? "0");
    },
    listen(listener) {
      connection.onLocalCandidate((candidate, sdpMid) => listener.candidate({ candidate, sdpMid }));
      connection.onStateChange((state) => {
        if (["disconnected", "failed", "closed"].includes(state)) listener.lost();
      });
    },
    close: () => connection.close(),
  };
}

/** Milliseconds for a channel to end in order, with all that was sent on it, before its connection is cut. */
const farewell = 500;

/** A native channel with the face of a browser's. It is the connection's only one, so the connection ends with it. */
function channelOf(native: DataChannel, connection: PeerConnection): Channel {
  const channel: Channel = {
    ...{ binaryType: "arraybuffer", onopen: null, onmessage: null, onbufferedamountlow: null, onclose: null },
    ...{ readyState: "connecting", bufferedAmountLowThreshold: backlogBytes / 2 },
    get bufferedAmount() {
      return ended ? 0 : native.bufferedAmount();
    },
    send(bytes) {
      if (!ended) native.sendMessageBinary(bytes as Uint8Array as Buffer);
    },
    close() {
      if (closing) return;
      closing = true;
      if (!ended) native.close();
      setTimeout(() => connection.close(), ended ? 0 : farewell).unref();
    },
  };
  let [closing, ended] = [false, false];
  const event = {} as never;
  native.setBufferedAmountLowThreshold(channel.bufferedAmountLowThreshold);
  native.onOpen(() => channel.onopen?.(event));
  native.onClosed(() => {
    ended = true;
    channel.onclose?.(event);
  });
  native.onBufferedAmountLow(() => channel.onbufferedamountlow?.(event));
  native.onMessage((data) => channel.onmessage?.({ data: typeof data === "string" ? data : exactly(data) } as never));
  return channel;
}

/** The bytes as a buffer of their own, as a browser hands them over. */
function exactly(data: Buffer | ArrayBuffer): ArrayBuffer {
  if (data instanceof ArrayBuffer) return data;
  const { buffer, byteOffset, byteLength } = data;
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) return buffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
