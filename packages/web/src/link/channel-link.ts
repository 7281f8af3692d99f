/**
 * A link over an RTCDataChannel, in a page or in a worker that the channel was transferred to, or over what has its face in
 * Node. A channel throws where too much is queued and cannot be paused: the lane above keeps the backlog short and grants
 * credit.
 */

import { Inbox } from "./inbox.ts";
import { backlogBytes, type Link, type LinkListener } from "./link.ts";
import { openTimeout, whenOpen } from "./opening.ts";

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

class ChannelLink implements Link {
  readonly kind = "rtc";
  readonly copies = true;
  readonly #channel: Channel;
  readonly #inbox = new Inbox();

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.binaryType = "arraybuffer";
    channel.bufferedAmountLowThreshold = backlogBytes / 2;
    channel.onmessage = ({ data }: { data: unknown }) => {
      // Peers send bytes only: text means no good.
      if (!(data instanceof ArrayBuffer) || !this.#inbox.message(new Uint8Array(data))) this.close();
    };
    channel.onbufferedamountlow = () => this.#inbox.drained();
    channel.onclose = () => this.#inbox.closed();
  }

  get backlog(): number {
    return this.#channel.bufferedAmount;
  }

  send(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#inbox.ended) return;
    try {
      this.#channel.send(piece);
    } catch {
      // It is closing already.
      this.close();
    }
  }

  listen(listener: LinkListener | undefined): void {
    this.#inbox.listen(listener);
  }

  close(): void {
    this.#channel.close();
    this.#inbox.closed();
  }
}

/**
 * The link over a channel, once it is open; a `LinkRefused` where it does not open in time. Call it in the task in which
 * the channel was made or came: an event that nobody listens to is lost.
 */
export function openChannel(channel: Channel, timeout: number = openTimeout): Promise<Link> {
  const link = new ChannelLink(channel);
  if (channel.readyState === "open") return Promise.resolve(link);
  return whenOpen(link, channel, timeout);
}
