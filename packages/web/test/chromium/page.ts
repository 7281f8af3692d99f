/** The page of chromium.long.test.ts: makes connections, and keeps the laws over them itself or has a worker do so. */

/// <reference types="vite/client" />

import { bridge, openChannel } from "@equitopo/web/internal";
import { runLaw } from "./laws.ts";
import type { FromPage, Handed, ToPage } from "./laws.worker.ts";
import LawsWorker from "./laws.worker.ts?worker&inline";
import { type End, pair } from "./pairs.ts";

const ends: End[] = [];

function freshPair(): readonly [End, End] {
  const made = pair();
  ends.push(...made);
  return made;
}

const here = (name: string): Promise<void> =>
  runLaw(name, async () => {
    const [a, b] = freshPair();
    return [
      { link: openChannel(a.channel, 30_000), fingerprints: a.fingerprints },
      { link: openChannel(b.channel, 30_000), fingerprints: b.fingerprints },
    ];
  });

/** What a worker gets of an end: the channel itself, or a port, and the page keeps the channel. */
function handOver({ channel }: End, transfer: boolean): { handed: Handed; transferred: Transferable } {
  if (transfer) return { handed: { channel }, transferred: channel };
  const { port1, port2 } = new MessageChannel();
  void openChannel(channel, 30_000).then((link) => bridge(link, port1));
  return { handed: { port: port2 }, transferred: port2 };
}

function inWorker(name: string, transfer: boolean): Promise<void> {
  const worker = new LawsWorker();
  const send = (message: FromPage, list: Transferable[] = []) => worker.postMessage(message, list);
  return new Promise<void>((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
      if ("done" in data) {
        if (data.done === undefined) resolve();
        else reject(new Error(data.done));
        return;
      }
      const made = freshPair();
      const [a, b] = made.map((end) => handOver(end, transfer));
      // In this very task: a channel can be given away only where it was just made.
      send({ pair: data.want, ends: [a.handed, b.handed] }, [a.transferred, b.transferred]);
      void Promise.all([made[0].fingerprints, made[1].fingerprints]).then((fingerprints) =>
        send({ pair: data.want, fingerprints }),
      );
    };
    send({ law: name });
  }).finally(() => worker.terminate());
}

Object.assign(globalThis, {
  keepLaw: async (name: string, where: "page" | "worker" | "bridge"): Promise<void> => {
    try {
      await (where === "page" ? here(name) : inWorker(name, where === "worker"));
    } finally {
      for (const end of ends.splice(0)) end.close();
    }
  },
});
