/** `equitopo advise`: which topology to run, for how many nodes on which network, and why. */

import { type AdviseOptions, advise, algorithms, InputError } from "equitopo";
import { checkAdvice } from "equitopo/advise";
import { type FormatOptions, formatFlag, printAnswer } from "../../terminal/answer.ts";
import * as flag from "../../terminal/flags.ts";
import { jsonText, note, writeAtomically } from "../../terminal/output.ts";
import { progressOf } from "../../terminal/progress.ts";
import { bandwidthOption, bytesOption, secondsOption } from "../../terminal/units.ts";
import { requireN } from "../../topology/options.ts";
import { adviceInWords, asDocument } from "./answer.ts";
import { outerAdvice, requireOuter } from "./outer.ts";

/** Rows of the table unless --all asks for more. */
const SHOWN = 12;

export const flags = {
  n: flag.whole("<N>", "number of nodes", 2, 300),
  degree: flag.whole("<K>", "the most peers that a node may hear from in a round", 1, 2),
  undirected: flag.on("only graphs in which every edge goes both ways"),
  topologies: flag.topologyNames("only these of `equitopo list` (default: all)"),
  modelBytes: flag.parsed("<B>", "bytes of one vector: 87k, 1.5MB (default 1MB)", (name) => bytesOption(name, "87k")),
  latency: flag.parsed("<T>", "time of a message without its bytes (default 0.1ms)", (name) =>
    secondsOption(name, "0.2ms"),
  ),
  bandwidth: flag.parsed("<S>", "speed of a node's link (default 1Gbit)", (name) => bandwidthOption(name, "1Gbit")),
  compute: flag.parsed("<T>", "time of a gradient (default 0)", (name) => secondsOption(name, "5ms")),
  loss: flag.number("<P>", "the share of messages that are dropped", 0.05),
  algorithm: flag.word("<NAME>", "a gradient method such as dsgd, dsgt or d2 (default: plain averaging)"),
  heterogeneous: flag.on("nodes that lie together have data alike, as where it is sorted by label"),
  kappa: flag.number("<K>", "the problem's condition number (default 2.5)", 10),
  b: flag.number("<B>", "its heterogeneity, in units of L |x*| (default 1)", 1),
  sigma: flag.number("<S>", "its gradient noise, in units of L |x*| (default 0)", 0.1),
  tolerance: flag.between("<T>", "the error to reach (default 1e-6; 0.01 for methods with a bias)", 0, 1, 1e-6),
  by: flag.word("<WHAT>", "rank by time (default) or bytes"),
  seed: flag.whole("<S>", "of everything drawn, default 0", 0, 0),
  outer: flag.on("which rule of local steps, and how many rounds an outer step, keeps the nodes together soonest"),
  steps: flag.whole("<H>", "with --outer: updates from one outer step to the next", 1, 50),
  disagreement: flag.number("<D>", "with --outer: to keep, per unit of local drift and of progress (default 0.1)", 0.1),
  all: flag.on("every row of the ranking, and every reason"),
  check: flag.on("run the first three and hold what they take against the prediction (exit code 1 where it fails)"),
  spec: flag.word("<FILE>", "write the spec of the first topology, for `equitopo run`"),
  ...formatFlag,
};

interface Options extends flag.CommonOptions, FormatOptions, flag.Given<typeof flags> {}

export const help = `
Of all registered topologies that fit (n, peers, directions, the method's condition), in the variants that their families
name, it predicts rounds, bytes and time to the goal and ranks them. All-reduce is one of the rows. The goal is an average to
the tolerance, or a gradient method's relative error on a problem of kappa, b and sigma (\`equitopo theory --problem\` has
them for yours), through the gains of each graph. Beside each row is how sure it is: exact, at most, mean square, sampled
(a few seeded runs) or model (a formula with exact gains in it).

Time: a message of b bytes takes latency + b / bandwidth, a node sends one after another, and a round waits for the
busiest; an all-reduce is a ring's, 2 (n - 1) messages of 1/n of the vector.

--outer asks for local steps with an outer optimiser (DiLoCo and its kin) instead: the disagreement of every rule over every
topology is exact where the rate's mean squares are, and the fewest rounds an outer step that keep it small are ranked by the
time that an outer step then takes, all-reduce DiLoCo among them.

Examples:
  equitopo advise --outer --n 16 --steps 50 --model-bytes 43MB --bandwidth 100Mbit --latency 20ms
  equitopo advise --n 300 --degree 2 --model-bytes 87k --latency 0.2ms --bandwidth 1Gbit --compute 5ms
  equitopo advise --n 300 --degree 1 --loss 0.05 --check
  equitopo advise --n 300 --degree 1 --algorithm dsgt
  equitopo advise --n 300 --degree 1 --algorithm dsgd --heterogeneous --undirected
  equitopo advise --n 300 --by bytes --json
  equitopo advise --n 100 --algorithm dsgt --spec advised.json && equitopo run advised.json
`;

export async function act(options: Options): Promise<number> {
  const progress = progressOf(options);
  if (options.outer) {
    const unused = options.check ? "check" : options.spec === undefined ? undefined : "spec";
    if (unused !== undefined) throw new InputError(`--${unused} does not go with --outer`, unused, "leave it out");
    await outerAdvice(questionOf(options), options, progress);
    return 0;
  }
  requireOuter(options);
  const question = questionOf(options);
  const advice = advise(question, (label, done, all) => progress.step(() => `${done + 1} of ${all}: ${label}`));
  const document = asDocument(advice);
  if (options.spec !== undefined) {
    const remedy = "allow more peers, or leave out --spec";
    if (document === null) throw new InputError("a spec needs a topology that fits", "all-reduce alone", remedy);
    await writeAtomically(options.spec, [jsonText(document)]);
  }
  if (options.check) progress.announce("checking by simulation ...");
  const checked = options.check ? checkAdvice(advice, 3) : undefined;
  progress.done();
  const most = options.all ? Number.POSITIVE_INFINITY : SHOWN;
  await printAnswer({ ...advice, document, checked }, () => adviceInWords(advice, most, checked), options);
  if (options.spec !== undefined) note(`spec written to ${options.spec}`, options);
  return checked?.some(({ holds }) => !holds) ? 1 : 0;
}

function questionOf(options: Options): AdviseOptions {
  const { all: _a, check: _c, spec: _s, format: _f, json: _j, quiet: _q, plugin: _p, outer: _o, ...given } = options;
  const { algorithm } = given;
  const n = requireN(given);
  // The nearest name is suggested before anything is computed.
  if (algorithm !== undefined) algorithms.get(algorithm);
  return { ...given, n } as AdviseOptions;
}
