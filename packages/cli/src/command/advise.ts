/** `equitopo advise`: which topology to run, for how many nodes on which network, and why. */

import type { Command } from "commander";
import { type Advice, type AdviseOptions, advise, algorithms, InputError, topologies } from "equitopo";
import { type Checked, checkAdvice } from "equitopo/advise";
import { adviceInWords, asDocument } from "../advice-report.ts";
import { betweenOption, integerOption, numberOption } from "../arguments.ts";
import { jsonText, note, print, printJson, writeAtomically } from "../output.ts";
import { progressOf } from "../progress.ts";
import type { CommonOptions, Session } from "../session.ts";
import { bandwidthOption, bytesOption, secondsOption } from "../units.ts";

/** Rows of the table unless --all asks for more. */
const SHOWN = 12;

interface Options extends CommonOptions {
  readonly n?: number;
  readonly degree?: number;
  readonly undirected?: true;
  readonly topologies?: readonly string[];
  readonly modelBytes?: number;
  readonly latency?: number;
  readonly bandwidth?: number;
  readonly compute?: number;
  readonly loss?: number;
  readonly algorithm?: string;
  readonly heterogeneous?: true;
  readonly kappa?: number;
  readonly b?: number;
  readonly sigma?: number;
  readonly tolerance?: number;
  readonly by?: string;
  readonly seed?: number;
  readonly all?: true;
  readonly check?: true;
  readonly spec?: string;
}

export function define(command: Command, session: Session): void {
  command
    .option("--n <N>", "number of nodes", integerOption("n", 2, 300))
    .option("--degree <K>", "the most peers that a node may hear from in a round", integerOption("degree", 1, 2))
    .option("--undirected", "only graphs in which every edge goes both ways")
    .option("--topologies <a,b,c>", "only these of `equitopo list` (default: all)", parseNames)
    .option("--model-bytes <B>", "bytes of one vector: 87k, 1.5MB (default 1MB)", bytesOption("model-bytes", "87k"))
    .option("--latency <T>", "time of a message without its bytes (default 0.1ms)", secondsOption("latency", "0.2ms"))
    .option("--bandwidth <S>", "speed of a node's link (default 1Gbit)", bandwidthOption("bandwidth", "1Gbit"))
    .option("--compute <T>", "time of a gradient (default 0)", secondsOption("compute", "5ms"))
    .option("--loss <P>", "the share of messages that get lost", numberOption("loss", 0.05))
    .option("--algorithm <NAME>", "a gradient method such as dsgd, dsgt or d2 (default: plain averaging)")
    .option("--heterogeneous", "nodes that lie together have data alike, as where it is sorted by label")
    .option("--kappa <K>", "the problem's condition number (default 2.5)", numberOption("kappa", 10))
    .option("--b <B>", "its heterogeneity, in units of L |x*| (default 1)", numberOption("b", 1))
    .option("--sigma <S>", "its gradient noise, in units of L |x*| (default 0)", numberOption("sigma", 0.1))
    .option(
      "--tolerance <T>",
      "the error to reach (default 1e-6; 0.01 for methods with a bias)",
      betweenOption("tolerance", 0, 1, 1e-6),
    )
    .option("--by <WHAT>", "rank by time (default) or bytes")
    .option("--seed <S>", "of everything drawn, default 0", integerOption("seed", 0, 0))
    .option("--all", "every row of the ranking, and every reason")
    .option(
      "--check",
      "run the first three and hold what they take against the prediction (exit code 1 where it fails)",
    )
    .option("--spec <FILE>", "write the spec of the first topology, for `equitopo run`")
    .addHelpText(
      "after",
      `
Of all registered topologies that fit (n, peers, directions, the method's condition), in the variants that their families
name, it predicts rounds, bytes and time to the goal and ranks them. All-reduce is one of the rows. The goal is an average to
the tolerance, or a gradient method's relative error on a problem of kappa, b and sigma (\`equitopo theory --problem\` has
them for yours), through the gains of each graph. How sure a row is stands beside it: exact, at most, mean square, sampled
(a few seeded runs) or model (a formula with exact gains in it).

Time: a message of b bytes takes latency + b / bandwidth, a node sends one after another, and a round waits for the
busiest; an all-reduce is a ring's, 2 (n - 1) messages of 1/n of the vector.

Examples:
  equitopo advise --n 300 --degree 2 --model-bytes 87k --latency 0.2ms --bandwidth 1Gbit --compute 5ms
  equitopo advise --n 300 --degree 1 --loss 0.05 --check
  equitopo advise --n 300 --degree 1 --algorithm dsgt
  equitopo advise --n 300 --degree 1 --algorithm dsgd --heterogeneous --undirected
  equitopo advise --n 300 --by bytes --json
  equitopo advise --n 100 --algorithm dsgt --spec advised.json && equitopo run advised.json
`,
    )
    .action(async (options: Options) => {
      const progress = progressOf(options);
      const question = questionOf(options);
      const advice = advise(question, (label, done, all) => progress.step(() => `${done + 1} of ${all}: ${label}`));
      if (options.spec !== undefined) await writeAtomically(options.spec, [jsonText(requireDocument(advice))]);
      if (options.check) progress.announce("checking by simulation ...");
      const checked = options.check ? checkAdvice(advice, 3) : undefined;
      progress.done();
      if (checked?.some(({ holds }) => !holds)) session.exitCode = 1;
      if (options.json) await printJson(asJson(advice, checked));
      else await print([adviceInWords(advice, { shown: options.all ? Number.POSITIVE_INFINITY : SHOWN, checked })]);
      if (options.spec !== undefined) note(`spec written to ${options.spec}`, options);
    });
}

function parseNames(text: string): readonly string[] {
  return [...new Set(text.split(",").map((name) => topologies.get(name.trim()).name))];
}

function questionOf({
  all: _all,
  check: _check,
  spec: _spec,
  json: _json,
  quiet: _quiet,
  plugin: _plugin,
  ...given
}: Options): AdviseOptions {
  const { n, algorithm } = given;
  if (n === undefined) throw new InputError("--n, the number of nodes, must be given", n, "try --n 300");
  // The nearest name is suggested before anything is computed.
  if (algorithm !== undefined) algorithms.get(algorithm);
  return { ...given, n } as AdviseOptions;
}

function requireDocument(advice: Advice): object {
  const document = asDocument(advice);
  if (document !== null) return document;
  throw new InputError(
    "a spec needs a topology that fits",
    "all-reduce alone",
    "allow more peers, or leave out --spec",
  );
}

function asJson(advice: Advice, checked: readonly Checked[] | undefined): object {
  return { ...advice, document: asDocument(advice), ...(checked === undefined ? {} : { checked }) };
}
