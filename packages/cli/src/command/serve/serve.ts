/** `equitopo serve`: a room in which browsers, Node peers and other machines do the runs of a spec together. */

import { basename, extname, join } from "node:path";
import { browserLinks, requireFewLinks } from "@equitopo/web";
import { isLoopbackHost } from "@equitopo/web/internal";
import type { Command } from "commander";
import { InputError, type RunSpec } from "equitopo";
import { defaultTimeout, peersOf } from "equitopo/internal/peer";
import { renderUnicodeCompact } from "uqr";
import { outFolder } from "../../folder/fresh-folder.ts";
import { built } from "../../peers/built-page.ts";
import { tellLaunch } from "../../peers/peer-summary.ts";
import { portableRuns } from "../../peers/portable.ts";
import { realPeers } from "../../peers/run-options.ts";
import { readPair } from "../../peers/secrets.ts";
import { requireDriver } from "../../run/driver.ts";
import { runDocument } from "../../run/run-document.ts";
import { readSpecFile } from "../../spec-file.ts";
import { type FormatOptions, formatFlag } from "../../terminal/answer.ts";
import { addFlags, type CommonOptions, type Given, port, preset, whole, word } from "../../terminal/flags.ts";
import { note } from "../../terminal/output.ts";
import { progressOf } from "../../terminal/progress.ts";
import { roomTransport } from "./room.ts";

const flags = {
  fill: preset(0, whole("<K>", "of the seats, start Node peers here for so many", 0, 3)),
  port: preset(0, port(8117)),
  host: preset("127.0.0.1", word("<H>", "the address to listen at; other than this machine's it needs --tls")),
  tls: word("<DIR>", "the TLS certificates of equitopo cluster init, made for --host"),
  timeout: preset(defaultTimeout, whole("<MS>", "the longest an exchange takes", 1, 1000)),
  out: word("<DIR>", "folder for curves, figures and report.html (default: a new one in runs/)"),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

export const define = (command: Command) =>
  addFlags(
    command.argument("<spec>", "a .yaml or .json file (see equitopo guide spec); its n is the number of seats"),
    flags,
  );

export const help = `
Prints an invite link, and on a terminal a QR code where other machines can open it. Whoever opens the link takes the next free seat: a browser as a page, another machine
with equitopo worker --join LINK. When every seat is taken and linked with all that it will meet, the runs begin; from then
on peers exchange directly, and the server may go away. The link's last part is the key: who has it can take part.
Browsers and the server's log see no key; specs with plug-ins or data files are refused, since a browser has neither; but
own data with a file for each node (file: ward-%r.csv) is what each seat is asked for, and stays there.

Examples:
  equitopo serve spec.yaml
  equitopo serve spec.yaml --fill 3 --out runs/room
  equitopo serve spec.yaml --host node-0 --tls cluster --port 8117
  equitopo worker --join 'http://127.0.0.1:8117/join#room=...&key=...'
`;

export async function act(file: string, options: Options): Promise<number> {
  const document = await readSpecFile(file);
  // Refuses what is wrong before anything is written or listened at.
  const runs = portableRuns(document);
  requireDriver(runs, { ...options, transport: "a room" });
  const n = peersOf(runs);
  if (options.fill > n) throw new InputError(`--fill is at most the spec's n = ${n}`, options.fill, "fill fewer");
  if (options.fill < n) countLinks(runs, n, options);
  const name = basename(file, extname(file));
  const title = document.title ?? name;
  const { tls: folder } = options;
  let begun = false;
  const transport = roomTransport({
    ...{ fill: options.fill, host: options.host, port: options.port, page: built("join.html") },
    ...{ title, description: document.description },
    ...(folder === undefined ? {} : { tls: { folder, ...readPair(folder, options.host) } }),
    onInvite: (link) => invite(link, options),
    onBegin: () => {
      begun = true;
    },
  });
  const { engine, verdict, ...peers } = realPeers(runs, transport, options);
  const out = outFolder(options, name);
  const list = await runDocument(
    {
      ...{ document, runs, title, real: true },
      farewell: () =>
        begun
          ? "interrupted; peers that have begun go on without the room"
          : "interrupted before anything began; nothing was written",
    },
    {
      ...{ out, json: options.json, format: options.format },
      lead: `The runs of ${basename(file)} in a room, by equitopo.`,
      ...peers,
      inVain: () => !begun,
      // Peers of a room keep their checkpoints themselves, where they are.
      engine: (units, { checkpointOf: _, ...rest }) => engine(units, rest),
    },
  );
  const code = tellLaunch(list, verdict, options);
  if (!options.json) note(`\nreport: ${join(out, "report.html")}`, options);
  return code;
}

/** Seconds where peers and rounds are many: all rounds of all peers are looked at. */
function countLinks(runs: readonly RunSpec[], n: number, options: Options): void {
  const progress = progressOf(options);
  if (n > browserLinks) progress.announce(`counting the links of ${n} seats`);
  try {
    requireFewLinks(runs);
  } finally {
    progress.done();
  }
}

/** The link is what the command is for, so it is there even with --quiet; never on stdout, which is the result's. */
function invite(link: string, { quiet, json, host }: Options): void {
  process.stderr.write(inviteText(link, host, !quiet && !json && process.stderr.isTTY === true));
}

/** The link, and for a person at a terminal who else can open it. */
export function inviteText(link: string, host: string, terminal: boolean): string {
  const line = `invite: ${link}\n`;
  if (!terminal) return line;
  // A telephone that reads the code is another machine.
  if (!isLoopbackHost(host)) return `\n${renderUnicodeCompact(link, { border: 2 })}\n${line}`;
  return `${line}this link works on this machine only; --host and --tls let others in\n`;
}
