/**
 * WebRTC for a worker: connections exist in windows only, but a channel can be given away in the task in which it was
 * made. So the window keeps connections and does what the worker says; channels, and with them all that travels, are the
 * worker's. Where a browser cannot give a channel away, its bytes go through a port.
 *
 * For each connection the worker sends a port of its own, and on that port
 *
 *   worker -> window   { call: "describe" | "accept" | "add", done, with: [...] }    null: close it
 *   window -> worker   { channel }    { port } (it is open)    { done, answer | failed }    { candidate }    { lost }
 *
 * `done` is the worker's number for a call.
 */

import { type BrowserRtcOptions, browserRtc } from "../link/browser-rtc.ts";
import { type Channel, openChannel } from "../link/channel-link.ts";
import type { RtcEngine } from "../link/connection.ts";
import { bridge, type Port } from "../link/port-link.ts";

/** A call of an engine that has an answer; null ends the connection. */
export type RtcCall = {
  readonly call: "describe" | "accept" | "add";
  readonly done: number;
  readonly with: readonly unknown[];
} | null;

export type RtcAnswer =
  | { readonly channel: Channel }
  | { readonly port: Port }
  | { readonly done: number; readonly answer?: string | undefined; readonly failed?: string }
  | { readonly candidate: unknown }
  | { readonly lost: true };

/** What is used of a MessagePort: channels and ports are given away through it. */
export interface WorkerPort {
  postMessage(message: unknown, transfer: object[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** Serves one worker through a port; answers how to end all its connections, for the page that goes. */
export function hostRtc(port: WorkerPort, options: BrowserRtcOptions = {}): () => void {
  const engines = new Set<RtcEngine>();
  port.onmessage = ({ data: line }: MessageEvent<WorkerPort>) => {
    const { engine, channel } = browserRtc(options);
    const say = (answer: RtcAnswer, transfer: object[] = []) => line.postMessage(answer, transfer);
    engines.add(engine);
    engine.listen({ candidate: (candidate) => say({ candidate }), lost: () => say({ lost: true }) });
    line.onmessage = ({ data }: MessageEvent<RtcCall>) => {
      if (data === null) {
        engines.delete(engine);
        engine.close();
        return;
      }
      const { call, done } = data;
      const made = (engine[call] as (...given: readonly unknown[]) => Promise<string | undefined>)(...data.with);
      made.then(
        (answer) => say({ done, answer }),
        (error: unknown) => say({ done, failed: String(error) }),
      );
    };
    try {
      say({ channel }, [channel]);
    } catch {
      openChannel(channel).then(
        (link) => {
          const { port1, port2 } = new MessageChannel();
          bridge(link, port1);
          say({ port: port2 }, [port2]);
        },
        () => say({ lost: true }),
      );
    }
  };
  return () => {
    for (const engine of engines) engine.close();
    engines.clear();
  };
}
