/** `equitopo verify`: re-derives a certificate, or compares the histories of peers with each other, and accepts or refuses. */

import type { Command } from "commander";
import { expandSpec, InputError } from "equitopo";
import { defined, inside } from "equitopo/internal/input";
import { parseCertificate, refutations } from "../../certificate/certificate.ts";
import { readNamed } from "../../input/file.ts";
import { contextOf } from "../../run/context.ts";
import { readSpecFile } from "../../spec-file.ts";
import { printAnswer } from "../../terminal/answer.ts";
import { addFlags, type CommonOptions, type Given, on, word } from "../../terminal/flags.ts";
import { showCount, showRate } from "../../terminal/numbers.ts";
import { progressOf } from "../../terminal/progress.ts";
import { readHistories, verdictOf, verdictText } from "./histories.ts";
import { replayRuns, replayText } from "./replay.ts";

const flags = {
  history: word("<DIR>", "the histories that peers wrote in place of a certificate (run --history, worker --history)"),
  averaging: on("histories: nothing but mixing changed the rows, so their sum must be kept"),
  spec: word("<FILE>", "histories: do the asynchronous runs of this spec again from them, to the last bit"),
  data: word("<DIR>", "with --spec: the folder of data sets"),
};

interface Options extends CommonOptions, Given<typeof flags> {}

export const define = (command: Command) =>
  addFlags(command.argument("[file]", "a certificate of `equitopo rate --certificate`"), flags);

export const help = `
Builds the topology anew from the options in the certificate and computes every number in it again.
With --history: every exchange was applied by both sides or by neither, but for exactly one dropped vote; what was used is
what its sender sent, in that exchange, once, and has a weight in a row of W; and the columns of W sum to 1 (equitopo guide
cluster).
With --spec: runs with mode: async are computed anew from who used what of whom; what each peer sent and its rows at both ends
must be what it wrote down, the final rows the peers' own (stateHash in result.json), and push-sum's sums must be kept, shares
on their way included (equitopo guide async).
Exit code 0: it holds. 1: refused, with what differs. 2: the file is no certificate, or the folder holds no histories.

Examples:
  equitopo rate d-equistatic --n 300 --m 9 --certificate c.json
  equitopo verify c.json
  equitopo verify c.json --json
  equitopo run spec.yaml --transport tcp --history runs/h && equitopo verify --history runs/h
  equitopo verify --history runs/h --spec spec.yaml
`;

export async function act(file: string | undefined, options: Options): Promise<number> {
  if (options.history !== undefined) {
    if (file !== undefined) throw new InputError("--history takes the place of a certificate", file, "leave out one");
    return verifyHistory(options.history, options);
  }
  if (file === undefined) {
    throw new InputError("verify needs a certificate", "none", "name it, or give --history DIR");
  }
  const text = readNamed(file, "the certificate must be readable").toString();
  const certificate = inside(file, () => parseCertificate(text));
  const { topology, n, rate } = certificate;
  const progress = progressOf(options);
  progress.announce(`computing the rate of ${topology}, n = ${n} ...`);
  const differences = refutations(certificate);
  progress.done();
  const accepted = differences.length === 0;
  const yes = [`accepted: ${topology}, n = ${showCount(n)}, rate ${showRate(rate)}\n`];
  const no = [`refused: ${file}\n`, ...differences.map((difference) => `  ${difference}\n`)];
  await printAnswer({ accepted, topology, n, rate, differences }, () => (accepted ? yes : no), options);
  return accepted ? 0 : 1;
}

async function verifyHistory(folder: string, options: Options): Promise<number> {
  const progress = progressOf(options);
  progress.announce(`reading the histories in ${folder} ...`);
  const verdict = verdictOf(folder, options.averaging === true);
  const { spec } = options;
  const runs = spec === undefined ? undefined : expandSpec(await readSpecFile(spec), contextOf(options));
  const replayed = runs && replayRuns(runs, readHistories(folder), options);
  progress.done();
  const accepted = verdict.violations.length === 0 && !replayed?.some(({ refused }) => refused !== undefined);
  const text = () => [verdictText(verdict), replayText(replayed ?? [])];
  await printAnswer({ accepted, ...verdict, ...defined({ replayed }) }, text, options);
  return accepted ? 0 : 1;
}
