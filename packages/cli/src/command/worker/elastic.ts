/**
 * `equitopo worker --elastic`: a peer of a run whose members come and go. The hosts file has a line for every seat: the spec's
 * n first, which begin, and as many more as may join later.
 */

import { randomInt } from "node:crypto";
import { checkpointPath, fileStore, TcpLane } from "@equitopo/node";
import { createProblem, InputError, type RunSpec, stateHash } from "equitopo";
import type { ElasticSummary, Epoch } from "equitopo/internal/peer";
import {
  AloneError,
  elasticPatience,
  handedBytes,
  largestSent,
  messageBytes,
  newIncarnation,
  ReplacedError,
  runElasticPeer,
  specText,
} from "equitopo/internal/peer";
import { listenOptions } from "../../peers/connect.ts";
import { hostsFile } from "../../peers/hosts.ts";
import { contextOf } from "../../run/context.ts";
import type { CommonOptions } from "../../terminal/flags.ts";
import { note, print, printJson } from "../../terminal/output.ts";
import type { WorkerOptions } from "./options.ts";

/** The run to its end, and the exit code; an interrupt is said to the others as leaving. */
export async function workElastic(
  runs: readonly RunSpec[],
  options: WorkerOptions,
  leave: AbortSignal,
): Promise<number> {
  const { seat, addresses, refresh, run } = placeOf(runs, options);
  const { timeout, audit, silence = elasticPatience.silence } = options;
  const seats = addresses.length;
  const context = contextOf(options);
  // A seat's data is that of the node with its number, of as many nodes as there are seats.
  const seated = { ...run, problem: { ...run.problem, n: seats } };
  const problem = createProblem(seated.problem, { ...context, first: seat, count: 1 });
  const size = run.type === "float64" ? 8 : 4;
  const maxBytes = Math.max(
    largestSent([seated], { ...context, first: seat }, audit).bytes,
    handedBytes(problem.d, size, problem.state),
    messageBytes(seats),
  );
  const incarnation = newIncarnation(Date.now(), randomInt(1024));
  const lane = new TcpLane({
    ...{ rank: seat, size: seats, addresses, refresh, timeout, maxBytes, incarnation },
    // Exchanges are among members, and who is not there is the membership's business: no round waits for a start.
    ...{ startGrace: options.startTimeout, startRounds: 0, answerGrace: 1000 },
    spec: `elastic ${specText({ runs, audit })}`,
    ...listenOptions(options, addresses, seat),
  });
  await lane.listen();
  const path = options.checkpoint && checkpointPath(options.checkpoint, seat);
  let hash = "";
  try {
    const summary = await runElasticPeer({
      ...{ lane, seat, seats, run, context, problemOf: () => problem, incarnation, timeout, leave, audit },
      patience: { silence, absence: Math.min(elasticPatience.absence, silence / 2), start: options.startTimeout },
      ...(path === undefined
        ? {}
        : {
            memory: fileStore(`${path}.votes`),
            checkpoint: { store: fileStore(path), every: options.checkpointEvery },
          }),
      onTrouble: (text) => note(`peer ${seat}: ${text}`, options),
      onEpoch: (epoch, updates) => note(describe(seat, epoch, updates), options),
      onRecord: ({ x }) => {
        hash = stateHash(x);
      },
    });
    await printElastic(seat, summary, hash, options);
    // Others may still be reading its last words.
    await new Promise((resolve) => setTimeout(resolve, 250));
    return 0;
  } catch (error) {
    if (!(error instanceof AloneError || error instanceof ReplacedError)) throw error;
    process.stderr.write(`${error.message}\n`);
    if (options.json) await printJson({ seat, done: 0, complaints: [error.message] });
    return 1;
  } finally {
    await lane.close();
  }
}

function placeOf(runs: readonly RunSpec[], options: WorkerOptions) {
  const { rank: seat, hosts } = options;
  if (runs.length !== 1) {
    throw new InputError("an elastic worker does one run", runs.length, "choose one of the spec's with --only K");
  }
  if (options.report !== undefined) {
    throw new InputError("--elastic goes without --report", options.report, "leave it out");
  }
  if (options.out !== undefined) {
    throw new InputError("--elastic goes without --out", options.out, "leave it out; --checkpoint keeps the model");
  }
  if (seat === undefined || hosts === undefined) {
    throw new InputError("an elastic worker needs --rank and --hosts", "one of them", "add --rank R --hosts FILE");
  }
  const { addresses, refresh } = hostsFile(hosts);
  const { n } = runs[0].topology;
  if (addresses.length < n) {
    throw new InputError(`the hosts file must name at least the spec's ${n} peers`, addresses.length, "add lines");
  }
  if (seat >= addresses.length) {
    throw new InputError(`rank must be from 0 to ${addresses.length - 1}`, seat, "add a line for it to the hosts file");
  }
  return { seat, addresses, refresh, run: runs[0] };
}

function describe(seat: number, { number, members }: Epoch, updates: number): string {
  const who = members.map((member) => member.seat).join(" ");
  return `peer ${seat}: membership epoch ${number} from iteration ${updates}: ${members.length} in (${who})`;
}

async function printElastic(
  seat: number,
  { counts: { refusals, ...counts }, ...summary }: ElasticSummary,
  hash: string,
  { json }: CommonOptions,
): Promise<void> {
  if (json) {
    await printJson({ seat, ...summary, ...counts, refused: Object.fromEntries(counts.refused), rowHash: hash });
    return;
  }
  const { done, skipped, epochs, members, left } = summary;
  await print([
    `peer ${seat}: ${done} iterations in ${epochs.length} membership epochs, ${skipped} skipped; ` +
      `${left ? "left" : `${members.length} in at the end`}; ${counts.missed} messages missed, ` +
      `${counts.voided} exchanges void; row ${hash.slice(0, 12)}\n`,
  ]);
}
