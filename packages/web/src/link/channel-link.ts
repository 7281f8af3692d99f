/**
 * A link over an RTCDataChannel, in a page or in a worker that the channel was transferred to, or over an object with the
 * same interface in Node. A channel throws if too much is queued, and cannot be paused: the lane above keeps the backlog
 * short and grants credit.
 */

import { Inbox, linkOver, whenOpen } from "./inbox.ts";
import { backlogBytes, type Link, openTimeout } from "./link.ts";

/** What is used of an RTCDataChannel. */
export interface Channel {
  binaryType: string;
  bufferedAmountLowThreshold: number;
  readonly readyState: string;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onbufferedamountlow: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

function channelLink(channel: Channel): Link {
  const inbox = new Inbox();
  const link = linkOver(inbox, {
    ...{ kind: "rtc", copies: true, backlog: () => channel.bufferedAmount, close: () => channel.close() },
    send(piece) {
      try {
        channel.send(piece);
      } catch {
        // It is closing already.
        link.close();
      }
    },
  });
  channel.binaryType = "arraybuffer";
  channel.bufferedAmountLowThreshold = backlogBytes / 2;
  channel.onmessage = ({ data }: { data: unknown }) => {
    // Peers send bytes only: text means no good.
    if (!(data instanceof ArrayBuffer) || !inbox.message(new Uint8Array(data))) link.close();
  };
  channel.onbufferedamountlow = () => inbox.drained();
  channel.onclose = () => inbox.closed();
  return link;
}

/**
 * The link over a channel, once it is open; a `LinkRefused` where it does not open in time. Call it in the task in which
 * the channel was made or came: an event that nobody listens to is lost.
 */
export function openChannel(channel: Channel, timeout: number = openTimeout): Promise<Link> {
  const link = channelLink(channel);
  if (channel.readyState === "open") return Promise.resolve(link);
  return whenOpen(link, channel, timeout);
}
