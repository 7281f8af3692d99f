/** `equitopo studio`: the page that shows what the library computes, with the runs of a folder and those that go on. */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { platform } from "node:os";
import { isLoopbackHost, watchLive } from "@equitopo/web/internal";
import type { Command } from "commander";
import { InputError } from "equitopo";
import { addressIn, studioAddress } from "../../live/reporter.ts";
import { built, fetchedScripts } from "../../peers/built-page.ts";
import { addFlags, type CommonOptions, type Given, port, preset, word } from "../../terminal/flags.ts";
import { note, print, printJson } from "../../terminal/output.ts";
import type { Hub } from "./hub.ts";
import { openStudio } from "./server.ts";

const flags = {
  port: preset(0, port(4263)),
  host: preset("127.0.0.1", word("<H>", "the address to listen at")),
  watch: word("<URL>", "show what another studio shows live: the address that it printed, a file with it, env or -"),
};

interface Options extends CommonOptions, Given<typeof flags> {
  readonly open: boolean;
}

export const define = (command: Command) =>
  addFlags(
    command.argument("[folder]", "a run's folder, or one with several, to open on the page (read only)"),
    flags,
  ).option("--no-open", "print the address only, and open no browser");

export const help = `
Serves one page and waits until Ctrl-C. The address that is printed ends with a token: who has it can read the folder's
files and what runs report, so hand it to nobody else. The same address is where runs and peers report to; on a machine with
other users, who can read the words of a command, give it in a file, on stdin (-) or in EQUITOPO_STUDIO (env):

Examples:
  equitopo studio
  equitopo studio runs/mine
  equitopo studio --port 4263 --no-open
  equitopo run spec.yaml --report 'http://127.0.0.1:4263/#token=...'
  equitopo run spec.yaml --report address.txt
  equitopo studio --watch 'http://node-0:4263/#token=...'
`;

export async function act(folder: string | undefined, options: Options): Promise<void> {
  if (folder !== undefined) requireFolder(folder);
  const watched =
    options.watch === undefined ? undefined : studioAddress(await addressIn(options.watch, "watch"), "watch");
  const studio = await openStudio({
    page: built("index.html").toString("utf8"),
    scripts: fetchedScripts(),
    ...(folder === undefined ? {} : { folder }),
    host: options.host,
    port: options.port,
    token: randomBytes(24).toString("base64url"),
  });
  const ended = interrupted();
  try {
    if (watched !== undefined) await follow(watched.url.origin, watched.token, studio.hub, ended);
    const isOfRuns = folder !== undefined || watched !== undefined;
    await announce(studio.address, isOfRuns ? "view=runs&" : "", options);
    if (!isLoopbackHost(options.host)) note("plain http: whoever can read this network can read the token", options);
    if (!ended.aborted) await once(ended, "abort");
  } finally {
    await studio.close();
  }
}

function requireFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new InputError("a studio opens a folder that exists", path, "name what equitopo run wrote, or leave it out");
}

/** Aborted by Ctrl-C: the end that everybody wants of a studio, and no failure. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** `view` is what the page shows first. */
async function announce(address: string, view: string, { json, quiet, open }: Options): Promise<void> {
  const page = address.replace("#", `#${view}`);
  if (json) await printJson({ page, report: address });
  else await print([`${page}\n`]);
  if (!json) note(`runs report with --report '${address}'; Ctrl-C ends`, quiet ? { quiet } : {});
  if (open && process.stdout.isTTY) openBrowser(page);
}

/** By whatever this system opens pages with; where there is none, the printed address serves. */
function openBrowser(address: string): void {
  const [program, ...words] = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] }[platform() as string] ?? [
    "xdg-open",
  ];
  spawn(program, [...words, address], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

/** Milliseconds between two attempts to find the other studio again. */
const pause = 2000;

/** Resolves once the other studio has answered; what it says later is passed on until the end. */
async function follow(origin: string, token: string, hub: Hub, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const watch = async () => {
      try {
        await watchLive({
          ...{ origin, token, signal },
          onBoard: (sources) => {
            hub.adopt(sources);
            resolve();
          },
          onLines: (lines) => {
            for (const line of lines) hub.take(line);
          },
        });
      } catch (error) {
        // Refused at the start is bad input; lost later is looked for again.
        const { message } = error as Error;
        reject(new InputError(`a studio must answer at ${origin}`, message, "copy the address that it printed"));
      }
      if (!signal.aborted) setTimeout(watch, pause).unref();
    };
    void watch();
  });
}
