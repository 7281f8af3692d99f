/** Dials a peer that listens for WebSockets: opens the socket, then the introduction, bound to the address. */

import { type Introduced, type IntroduceOptions, introduce } from "./introduce.ts";
import { checkAddress, openSocket, type Socket } from "./socket-link.ts";

export interface DialOptions extends Omit<IntroduceOptions, "mode" | "role" | "fingerprints" | "address"> {
  readonly peer: number;
  /** How a socket is made. Default: the runtime's own WebSocket. */
  readonly socket?: (address: string) => Socket;
}

/** A `LinkRefused` where nobody answers, or not the right one; an InputError where the address is neither wss nor local. */
export async function dialSocket(address: string, options: DialOptions): Promise<Introduced> {
  const { socket = (url) => new WebSocket(url) as Socket, timeout, ...rest } = options;
  checkAddress(address);
  const link = await openSocket(socket(address), timeout);
  return introduce(link, {
    ...rest,
    mode: "socket",
    role: "dialler",
    address,
    ...(timeout === undefined ? {} : { timeout }),
  });
}
