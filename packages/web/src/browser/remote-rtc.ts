/** A worker's side of rtc-host.ts: connections that the window makes for it, behind the same calls as its own would be. */

import { openChannel } from "../link/channel-link.ts";
import type { RtcEngine } from "../link/connection.ts";
import type { Link } from "../link/link.ts";
import { openTimeout } from "../link/opening.ts";
import { type Port, portLink } from "../link/port-link.ts";
import { LinkRefused } from "../link/refused.ts";
import type { RtcAnswer, RtcCall } from "./rtc-host.ts";

/** A connection in the making: what it is told by, and the link that comes of it. */
export interface RemoteRtc {
  readonly engine: RtcEngine;
  readonly link: Promise<Link>;
}

interface Held {
  listener: Parameters<RtcEngine["listen"]>[0];
  readonly take: (link: Promise<Link>) => void;
}

/** Makes connections in the window at the other end of the port. Each link has `timeout` milliseconds to open. */
export function remoteRtc(port: Port, timeout: number = openTimeout): () => RemoteRtc {
  const held = new Map<number, Held>();
  const waiting = new Map<number, { resolve(answer: string): void; reject(error: Error): void }>();
  let [ids, calls] = [0, 0];

  port.onmessage = ({ data }: MessageEvent<RtcAnswer>) => {
    const one = held.get(data.id);
    if ("done" in data) {
      const call = waiting.get(data.done);
      waiting.delete(data.done);
      if (data.failed === undefined) call?.resolve(data.answer ?? "");
      else call?.reject(new Error(data.failed));
    } else if ("channel" in data) {
      // Even where nobody wants it any more: only a listened-to channel is closed in order.
      const link = openChannel(data.channel, timeout);
      one?.take(link);
    } else if ("port" in data) one?.take(Promise.resolve(portLink(data.port, "rtc")));
    else if ("candidate" in data) one?.listener.candidate(data.candidate);
    else one?.listener.lost();
  };
  const say = (call: RtcCall) => port.postMessage(call, []);
  const ask = (make: (done: number) => RtcCall) =>
    new Promise<string>((resolve, reject) => {
      const done = calls++;
      waiting.set(done, { resolve, reject });
      say(make(done));
    });

  return () => {
    const id = ids++;
    let give: (link: Promise<Link>) => void = () => {};
    const link = new Promise<Link>((resolve, reject) => {
      const timer = setTimeout(() => reject(new LinkRefused("unconnected")), timeout);
      give = (opened) => {
        clearTimeout(timer);
        resolve(opened);
      };
    });
    // Who waits for it hears of it.
    link.catch(() => {});
    held.set(id, { listener: { candidate: () => {}, lost: () => {} }, take: give });
    say({ id, call: "make" });
    const engine: RtcEngine = {
      describe: (kind) => ask((done) => ({ id, call: "describe", done, kind })),
      accept: async (kind, sdp) => void (await ask((done) => ({ id, call: "accept", done, kind, sdp }))),
      add: async (candidate) => void (await ask((done) => ({ id, call: "add", done, candidate }))),
      listen(listener) {
        const one = held.get(id);
        if (one !== undefined) one.listener = listener;
      },
      close() {
        if (!held.delete(id)) return;
        say({ id, call: "close" });
      },
    };
    return { engine, link };
  };
}
