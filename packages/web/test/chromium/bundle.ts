/** A program for a page as one script, its workers inside. */

import { networkInterfaces } from "node:os";
import { build } from "vite";

export async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    worker: { format: "iife" },
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "page" } },
  });
  const [{ output }] = [result].flat() as { output: { code: string }[] }[];
  return output[0].code;
}

/** Whether there is no network but loopback: Chromium has no WebRTC there. */
export function onlyLoopback(): boolean {
  const alone = Object.values(networkInterfaces()).every((addresses) => addresses?.every(({ internal }) => internal));
  if (alone) console.warn("SKIPPED: WebRTC in Chromium, which has none where there is no network but loopback");
  return alone;
}
