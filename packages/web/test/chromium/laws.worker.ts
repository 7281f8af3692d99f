/** A worker that keeps the laws over links which its page makes: channels that it was given, or bridges to them. */

import { type Fingerprints, type Link, openChannel, portLink } from "@equitopo/web/internal";
import { runLaw, type Way } from "./laws.ts";

/** What the page hands over of one end. */
export type Handed = { readonly channel: RTCDataChannel } | { readonly port: MessagePort };
export type FromPage =
  | { readonly law: string }
  | { readonly pair: number; readonly ends: readonly [Handed, Handed] }
  | { readonly pair: number; readonly fingerprints: readonly [Fingerprints, Fingerprints] };
export type ToPage = { readonly want: number } | { readonly done: string | undefined };

const say = (message: ToPage) => postMessage(message);
const waiting = new Map<
  number,
  { ends(ends: readonly [Handed, Handed]): void; known(both: readonly Fingerprints[]): void }
>();
let asked = 0;

function wanted(): Promise<readonly [Way, Way]> {
  const pair = asked++;
  return new Promise((resolve) => {
    let known: (both: readonly Fingerprints[]) => void = () => {};
    const both = new Promise<readonly Fingerprints[]>((settle) => {
      known = settle;
    });
    const ends = (handed: readonly [Handed, Handed]) => {
      const [a, b] = handed.map((end, k) => ({ link: linkOf(end), fingerprints: both.then((seen) => seen[k]) }));
      resolve([a, b]);
    };
    waiting.set(pair, { ends, known });
    say({ want: pair });
  });
}

function linkOf(end: Handed): Promise<Link> {
  // Many connections at once take their time on a small machine.
  return "channel" in end ? openChannel(end.channel, 30_000) : Promise.resolve(portLink(end.port, "rtc"));
}

addEventListener("message", ({ data }: MessageEvent<FromPage>) => {
  if ("law" in data) {
    runLaw(data.law, wanted).then(
      () => say({ done: undefined }),
      (error: Error) => say({ done: error.stack ?? error.message }),
    );
  } else if ("ends" in data) waiting.get(data.pair)?.ends(data.ends);
  else waiting.get(data.pair)?.known(data.fingerprints);
});
