/** `equitopo verify`: re-derives a certificate, or holds the histories of peers against each other, and accepts or refuses. */

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expandSpec, InputError } from "equitopo";
import { parseCertificate, refutations } from "../certificate.ts";
import { readingRemedy } from "../input-file.ts";
import { showCount, showRate } from "../numbers.ts";
import { print, printJson } from "../output.ts";
import { replayRuns, replayText } from "../peers/replay-history.ts";
import { readHistories, verdictOf, verdictText } from "../peers/verify-history.ts";
import { progressOf } from "../progress.ts";
import { contextOf } from "../run/context.ts";
import type { CommonOptions, Session } from "../session.ts";
import { readSpecFile } from "../spec-file.ts";

interface Options extends CommonOptions {
  readonly history?: string;
  readonly averaging?: true;
  readonly spec?: string;
  readonly data?: string;
}

export function define(command: Command, session: Session): void {
  command
    .argument("[file]", "a certificate of `equitopo rate --certificate`")
    .option(
      "--history <DIR>",
      "the histories that peers wrote in place of a certificate (run --history, worker --history)",
    )
    .option("--averaging", "histories: nothing but mixing changed the rows, so their sum must be kept")
    .option("--spec <FILE>", "histories: do the asynchronous runs of this spec again from them, to the last bit")
    .option("--data <DIR>", "with --spec: the folder of data sets")
    .addHelpText(
      "after",
      `
Builds the topology anew from the options in the certificate and computes every number in it again.
With --history: every exchange was applied by both sides or by neither, but for exactly one lost vote; what was used is what
its sender sent, in that exchange, once; and the columns of W sum to 1 (equitopo guide cluster).
With --spec: runs with mode: async are computed anew from who used what of whom; their final rows must be the peers' own
(stateHash in result.json), and push-sum's sums must be kept, shares on their way included (equitopo guide async).
Exit code 0: it holds. 1: refused, with what differs. 2: the file is no certificate, or the folder holds no histories.

Examples:
  equitopo rate d-equistatic --n 300 --m 9 --certificate c.json
  equitopo verify c.json
  equitopo verify c.json --json
  equitopo run spec.yaml --transport tcp --history runs/h && equitopo verify --history runs/h
  equitopo verify --history runs/h --spec spec.yaml
`,
    )
    .action(async (file: string | undefined, options: Options) => {
      if (options.history !== undefined) {
        requireAlone(file);
        await verifyHistory(options.history, options, session);
        return;
      }
      if (file === undefined) {
        throw new InputError("verify needs a certificate", "none", "name it, or give --history DIR");
      }
      const certificate = parseNamed(file);
      const { topology, n, rate } = certificate;
      const progress = progressOf(options);
      progress.announce(`computing the rate of ${topology}, n = ${n} ...`);
      const differences = refutations(certificate);
      progress.done();
      const accepted = differences.length === 0;
      if (!accepted) session.exitCode = 1;
      if (options.json) await printJson({ accepted, topology, n, rate, differences });
      else if (accepted) await print([`accepted: ${topology}, n = ${showCount(n)}, rate ${showRate(rate)}\n`]);
      else await print([`refused: ${file}\n`, ...differences.map((difference) => `  ${difference}\n`)]);
    });
}

function requireAlone(file: string | undefined): void {
  if (file !== undefined) throw new InputError("--history takes the place of a certificate", file, "leave out one");
}

async function verifyHistory(folder: string, options: Options, session: Session): Promise<void> {
  const progress = progressOf(options);
  progress.announce(`reading the histories in ${folder} ...`);
  const verdict = verdictOf(folder, options.averaging === true);
  const replayed = options.spec === undefined ? undefined : await doneAgain(options.spec, folder, options);
  progress.done();
  const accepted = verdict.violations.length === 0;
  if (!accepted) session.exitCode = 1;
  if (options.json) await printJson({ accepted, ...verdict, ...(replayed === undefined ? {} : { replayed }) });
  else await print([verdictText(verdict), replayText(replayed ?? [])]);
}

async function doneAgain(file: string, folder: string, options: Options) {
  const document = await readSpecFile(file);
  return replayRuns(expandSpec(document, contextOf(options)), readHistories(folder), options);
}

function parseNamed(file: string) {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the certificate must be readable (${code})`, file, readingRemedy(error));
  }
  try {
    return parseCertificate(text);
  } catch (error) {
    if (error instanceof InputError) error.message = `${file}: ${error.message}`;
    throw error;
  }
}
