/**
 * A browser's RTCPeerConnection behind the five calls of connection.ts. It exists in windows only; its channel may be given
 * to a worker, in the task in which it was made:
 *
 *   const { engine, channel } = browserRtc();
 *   worker.postMessage({ channel }, [channel]);        where the browser refuses: bridge(openChannel(channel), port)
 */

import type { Channel } from "./channel-link.ts";
import type { RtcEngine } from "./connection.ts";

export interface BrowserRtcOptions {
  /** STUN or TURN servers. Default none: peers of one network find each other without. */
  readonly iceServers?: { urls: string | string[]; username?: string; credential?: string }[];
}

/** The browser's own type where a program knows it; a Node program's types need not. */
type BrowserChannel = typeof globalThis extends { RTCDataChannel: { prototype: infer C } } ? C : Channel;

export function browserRtc({ iceServers = [] }: BrowserRtcOptions = {}): {
  readonly engine: RtcEngine;
  readonly channel: BrowserChannel;
} {
  const connection = new RTCPeerConnection({ iceServers });
  const channel = connection.createDataChannel("equitopo", { negotiated: true, id: 0, ordered: true });
  const engine: RtcEngine = {
    async describe() {
      await connection.setLocalDescription();
      return connection.localDescription?.sdp ?? "";
    },
    accept: (type, sdp) => connection.setRemoteDescription({ type, sdp }),
    add: (candidate) => connection.addIceCandidate(candidate as RTCIceCandidateInit),
    listen(listener) {
      connection.onicecandidate = ({ candidate }) => {
        if (candidate !== null) listener.candidate(candidate.toJSON());
      };
      connection.onconnectionstatechange = () => {
        if (["disconnected", "failed", "closed"].includes(connection.connectionState)) listener.lost();
      };
    },
    close: () => connection.close(),
  };
  return { engine, channel };
}
