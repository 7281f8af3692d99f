/**
 * WebRTC for a worker: connections exist in windows only, but a channel can be given away in the task in which it was
 * made. So the window keeps connections and does what the worker says; channels, and with them all that travels, are the
 * worker's. Where a browser cannot give a channel away, its bytes go through a port.
 *
 *   worker -> window   { id, call: "make" | "describe" | "accept" | "add" | "close", ... }
 *   window -> worker   { id, channel }    { id, port } (it is open)    { id, done, answer | failed }    { id, candidate }    { id, lost }
 *
 * `id` is the worker's number for a connection, `done` its number for a call.
 */

import { type BrowserRtcOptions, browserRtc } from "../link/browser-rtc.ts";
import { type Channel, openChannel } from "../link/channel-link.ts";
import type { RtcEngine } from "../link/connection.ts";
import { bridge, type Port } from "../link/port-link.ts";

type Kind = "offer" | "answer";

export type RtcCall = { readonly id: number } & (
  | { readonly call: "make" }
  | { readonly call: "describe"; readonly done: number; readonly kind: Kind }
  | { readonly call: "accept"; readonly done: number; readonly kind: Kind; readonly sdp: string }
  | { readonly call: "add"; readonly done: number; readonly candidate: unknown }
  | { readonly call: "close" }
);

export type RtcAnswer = { readonly id: number } & (
  | { readonly channel: Channel }
  | { readonly port: Port }
  | { readonly done: number; readonly answer?: string; readonly failed?: string }
  | { readonly candidate: unknown }
  | { readonly lost: true }
);

/** What is used of the MessagePort to a worker: channels and ports are given away through it. */
export interface WorkerPort {
  postMessage(message: unknown, transfer: object[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** Serves one worker through a port; answers how to end all its connections, for the page that goes. */
export function hostRtc(port: WorkerPort, options: BrowserRtcOptions = {}): () => void {
  const engines = new Map<number, RtcEngine>();
  // A window gives away channels and ports as well, which the types of a Node program, and so of a Port, do not know.
  const say = (answer: RtcAnswer, transfer: object[] = []) => port.postMessage(answer, transfer as ArrayBuffer[]);

  function make(id: number): void {
    const { engine, channel } = browserRtc(options);
    engines.set(id, engine);
    engine.listen({
      candidate: (candidate) => say({ id, candidate }),
      lost: () => say({ id, lost: true }),
    });
    try {
      say({ id, channel }, [channel]);
    } catch {
      openChannel(channel).then(
        (link) => {
          const { port1, port2 } = new MessageChannel();
          bridge(link, port1);
          say({ id, port: port2 }, [port2]);
        },
        () => say({ id, lost: true }),
      );
    }
  }

  async function call(engine: RtcEngine, message: Extract<RtcCall, { done: number }>): Promise<string | undefined> {
    if (message.call === "describe") return await engine.describe(message.kind);
    if (message.call === "accept") await engine.accept(message.kind, message.sdp);
    else await engine.add(message.candidate);
    return undefined;
  }

  port.onmessage = ({ data }: MessageEvent<RtcCall>) => {
    const { id } = data;
    if (data.call === "make") return make(id);
    const engine = engines.get(id);
    if (engine === undefined) return;
    if (data.call === "close") {
      engines.delete(id);
      engine.close();
      return;
    }
    const { done } = data;
    call(engine, data).then(
      (answer) => say({ id, done, ...(answer === undefined ? {} : { answer }) }),
      (error: unknown) => say({ id, done, failed: String(error) }),
    );
  };
  return () => {
    for (const engine of engines.values()) engine.close();
    engines.clear();
  };
}
