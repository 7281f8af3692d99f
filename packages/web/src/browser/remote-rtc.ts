/** A worker's side of rtc-host.ts: connections that the window makes for it, behind the same calls as its own would be. */

import { openChannel } from "../link/channel-link.ts";
import type { RtcEnd, RtcEngine } from "../link/connection.ts";
import { type Link, LinkRefused, openTimeout } from "../link/link.ts";
import { portLink } from "../link/port-link.ts";
import type { RtcAnswer, RtcCall, WorkerPort } from "./rtc-host.ts";

export type RemoteRtc = RtcEnd;

/** Makes connections in the window at the other end of the port. Each link has `timeout` milliseconds to open. */
export function remoteRtc(port: Pick<WorkerPort, "postMessage">, timeout: number = openTimeout): () => RemoteRtc {
  return () => {
    const { port1: line, port2 } = new MessageChannel();
    port.postMessage(port2, [port2]);
    const say = (call: RtcCall) => line.postMessage(call);
    const calls: { resolve(answer: string): void; reject(error: Error): void }[] = [];
    let listener: Parameters<RtcEngine["listen"]>[0] = { candidate: () => {}, lost: () => {} };
    const link = new Promise<Link>((resolve, reject) => {
      // Nothing where it is open by then.
      setTimeout(() => reject(new LinkRefused("unconnected")), timeout);
      line.onmessage = ({ data }: MessageEvent<RtcAnswer>) => {
        if ("done" in data) {
          const { resolve: answer, reject: fail } = calls[data.done];
          if (data.failed === undefined) answer(data.answer ?? "");
          else fail(new Error(data.failed));
        } else if ("channel" in data) {
          // Opened even where nobody wants it any more: only a listened-to channel is closed in order.
          resolve(openChannel(data.channel, timeout));
        } else if ("port" in data) resolve(portLink(data.port, "rtc"));
        else if ("candidate" in data) listener.candidate(data.candidate);
        else listener.lost();
      };
    });
    // Whoever awaits it handles the rejection.
    link.catch(() => {});
    const ask = (call: NonNullable<RtcCall>["call"], ...given: readonly unknown[]) =>
      new Promise<string>((resolve, reject) => {
        say({ call, done: calls.push({ resolve, reject }) - 1, with: given });
      });
    const engine: RtcEngine = {
      describe: (kind) => ask("describe", kind),
      accept: async (kind, sdp) => void (await ask("accept", kind, sdp)),
      add: async (candidate) => void (await ask("add", candidate)),
      listen(given) {
        listener = given;
      },
      close: () => say(null),
    };
    return { engine, link };
  };
}
