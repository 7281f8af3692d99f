/** `equitopo serve`: a room in which browsers, Node peers and other machines do the runs of a spec together. */

import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { specExperiment } from "@equitopo/experiments";
import { browserLinks, requireFewLinks } from "@equitopo/web";
import type { Command } from "commander";
import { InputError, type RunResult, type RunSpec } from "equitopo";
import { defaultTimeout, peersOf } from "equitopo/peer";
import { renderUnicodeCompact } from "uqr";
import { integerOption } from "../arguments.ts";
import { builtPage } from "../built-page.ts";
import { untilInterrupted } from "../interrupt.ts";
import { note, print } from "../output.ts";
import { roomTransport } from "../peers/launch-room.ts";
import { tellLaunch } from "../peers/launch-summary.ts";
import { portableRuns } from "../peers/portable.ts";
import { realPeers } from "../peers/run-options.ts";
import { progressOf } from "../progress.ts";
import { outFolder } from "../run/fresh-folder.ts";
import { runExperiments } from "../run/run-experiments.ts";
import { resultText, summaryText } from "../run/summary.ts";
import type { CommonOptions, Session } from "../session.ts";
import { readSpecFile } from "../spec-file.ts";

interface Options extends CommonOptions {
  readonly fill: number;
  readonly port: number;
  readonly host: string;
  readonly tls?: string;
  readonly timeout: number;
  readonly out?: string;
}

export function define(command: Command, session: Session): void {
  command
    .argument("<spec>", "a .yaml or .json file (see equitopo guide spec); its n is the number of seats")
    .option("--fill <K>", "of the seats, start Node peers here for so many", integerOption("fill", 0, 3), 0)
    .option("--port <P>", "where to listen (default: any that is free)", integerOption("port", 0, 8117), 0)
    .option("--host <H>", "the address to listen at; other than this machine's it needs --tls", "127.0.0.1")
    .option("--tls <DIR>", "the TLS certificates of equitopo cluster init, made for --host")
    .option("--timeout <MS>", "the longest an exchange takes", integerOption("timeout", 1, 1000), defaultTimeout)
    .option("--out <DIR>", "folder for curves, figures and report.html (default: a new one in runs/)")
    .addHelpText(
      "after",
      `
Prints an invite link and a QR code. Whoever opens the link takes the next free seat: a browser as a page, another machine
with equitopo worker --join LINK. When every seat is taken and linked with all that it will meet, the runs begin; from then
on peers exchange directly, and the server may go away. The link's last part is the key: who has it can take part.
Browsers and the server's log see no key; specs with plug-ins or data files are refused, since a browser has neither; but
own data with a file for each node (file: ward-%r.csv) is what each seat is asked for, and stays there.

Examples:
  equitopo serve spec.yaml
  equitopo serve spec.yaml --fill 3 --out runs/room
  equitopo serve spec.yaml --host node-0 --tls cluster --port 8117
  equitopo worker --join 'http://127.0.0.1:8117/join#room=...&key=...'
`,
    )
    .action(async (file: string, options: Options) => {
      const document = await readSpecFile(file);
      // Refuses what is wrong before anything is written or listened at.
      const runs = portableRuns(document);
      const n = peersOf(runs);
      if (options.fill > n) throw new InputError(`--fill is at most the spec's n = ${n}`, options.fill, "fill fewer");
      if (options.port > 65_535) {
        throw new InputError("port must be an integer from 0 to 65535", options.port, "try --port 8117");
      }
      if (options.fill < n) countLinks(runs, n, options);
      const transport = roomTransport({
        ...{ fill: options.fill, host: options.host, port: options.port, page: builtPage("join") },
        ...(options.tls === undefined ? {} : { tls: readTls(options.tls, options.host) }),
        onInvite: (link) => invite(link, options),
      });
      const { engine, verdict, ...peers } = realPeers(runs, transport, options);
      const name = basename(file, extname(file));
      const title = document.title ?? name;
      const out = outFolder(options, name);
      const experiment = specExperiment({
        ...{ name: "run", title, paper: "Your own spec", shows: "", runs: () => runs },
        seconds: "seconds measured, gradients included",
      });
      const [{ results }] = await untilInterrupted(
        (signal) =>
          runExperiments([experiment], {
            ...{ scale: "full", out, signal, lead: `The runs of ${basename(file)} in a room, by equitopo.` },
            extraFiles: ({ results }) => ({
              "result.json": resultText(document, [...results.values()] as RunResult[]),
            }),
            ...peers,
            // Peers of a room keep their checkpoints themselves, where they are.
            engine: (units, { checkpointOf: _, ...rest }) => engine(units, rest),
          }),
        "interrupted; peers that have begun go on without the room",
      );
      const list = [...results.values()] as RunResult[];
      await print([options.json ? resultText(document, list) : `\n${title}\n\n${summaryText(list)}`]);
      session.exitCode = tellLaunch(list, verdict, options);
      if (!options.json) note(`\nreport: ${join(out, "report.html")}`, options);
    });
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
function invite(link: string, { quiet, json }: Options): void {
  const drawn = !quiet && !json && process.stderr.isTTY === true;
  process.stderr.write(`${drawn ? `\n${renderUnicodeCompact(link, { border: 2 })}\n` : ""}invite: ${link}\n`);
}

function readTls(folder: string, host: string): { folder: string; cert: Buffer; key: Buffer } {
  const read = (ending: string) => {
    const path = join(folder, `${host.replaceAll(":", "_")}.${ending}`);
    try {
      return readFileSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new InputError(`the TLS certificate and key of --host must be readable (${code})`, path, remedy(host));
    }
  };
  return { folder, cert: read("pem"), key: read("key") };
}

const remedy = (host: string) => `make them with equitopo cluster init ${host}`;
