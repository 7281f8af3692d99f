/**
 * Where a peer of a spec begins: at the beginning or at a save point, together with all that come to the opening meeting
 * (opening.ts decides); or, if that meeting is over, at the round that the network has reached.
 */

import { createTopology } from "../../topology/registry.ts";
import { majority, usualLag } from "../exchange/claims.ts";
import { witnessesOf } from "../mixing/neighbours.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { gather, gatherSteps, openingPasses } from "./meeting.ts";
import { decideOpening, decodeOffer, encodeOffer, type RunPoint } from "./opening.ts";
import type { SpecPeerOptions, Stage } from "./options.ts";
import { newRunId } from "./run-id.ts";

export interface PeerStart extends RunPoint {
  /** anew: at the beginning. saved: from a place that a majority had saved. network: where the others already were. */
  readonly from: "anew" | "saved" | "network";
  /** Peers whose word did not come to the opening meeting; where it was over, nearly all. */
  readonly absent: readonly number[];
  /** The run and iteration of this peer's last checkpoint, if nothing of it was used. */
  readonly unused?: Pick<RunPoint, "run" | "round">;
}

/**
 * Meets the others, and answers where to begin, with what was saved of that run. Rejects if it cannot be known, and when the
 * signal aborts.
 */
export async function begin(options: SpecPeerOptions, stages: readonly Stage[], saved: readonly Checkpoint[]) {
  const { transport, runs, signal, startTimeout = 60_000, runId = newRunId(), onWait } = options;
  const { rank, size } = transport;
  const { base, numbering } = stages[stages.length - 1];
  transport.believe?.({
    first: stages[0].base,
    last: base + numbering.length + gatherSteps(size),
    witnesses: runs.some(({ topology }) => witnessesOf(createTopology(topology), rank) === 1) ? 1 : 2,
  });
  const over = meetingOver(stages, saved, size);
  const { met, words } = await gather(transport, {
    ...{ first: 0, timeout: startTimeout, passes: openingPasses, word: encodeOffer({ proposal: runId, saved }) },
    ...{ over, signal, onWait },
  });
  const absent = Array.from({ length: size }, (_, peer) => peer).filter((peer) => words[peer] === undefined);
  // If nobody came, there may be no second peer to confirm the claim of the only one alive.
  if (absent.length === size - 1) transport.believe?.({ witnesses: 1 });
  const newest = saved[0];
  const begun = (from: PeerStart["from"], place: RunPoint, known?: Checkpoint) => {
    const unused = newest === undefined || known !== undefined ? {} : { unused: placeOf(newest) };
    const start: PeerStart = { from, ...place, absent, ...unused };
    return { start, known };
  };
  if (!met || (absent.length === size - 1 && over(transport.reached))) {
    const place = findNetwork(transport.reached, stages);
    return begun("network", { id: newest?.id ?? runId, ...place }, bestOf(saved, place));
  }
  const rounds = runs.map((run) => run.rounds);
  const opening = decideOpening(words.map((word) => (word === undefined ? undefined : decodeOffer(word, rounds))));
  if (opening.from === "saved") {
    const { place } = opening;
    const same = saved.filter(({ id }) => id === place.id);
    return begun("saved", place, bestOf(same, place));
  }
  if (opening.from === "undecided" && newest !== undefined) {
    const finished = newest.run === runs.length - 1 && newest.round === rounds[newest.run];
    if (!finished && options.alone !== true) throw new TooFewError(options, newest, opening.came, absent);
    return begun("saved", { id: newest.id, ...placeOf(newest) }, newest);
  }
  return begun("anew", { id: opening.id, run: 0, round: 0 });
}

/** What a person should know about a start; undefined if nothing is unusual. */
export function startTrouble({ from, unused, round }: PeerStart): string | undefined {
  if (unused === undefined) return undefined;
  const where = from === "anew" ? "all begin anew" : `all go on from iteration ${round} of another start`;
  return `the checkpoint of iteration ${unused.round} is not used: no majority has it, and ${where}`;
}

const placeOf = ({ run, round }: Pick<RunPoint, "run" | "round">) => ({ run, round });

/** The checkpoint of just that place, or else the newest of its run. */
function bestOf(saved: readonly Checkpoint[], { run, round }: Pick<RunPoint, "run" | "round">): Checkpoint | undefined {
  const own = saved.filter((one) => one.run === run);
  return own.find((one) => one.round === round) ?? own[0];
}

/**
 * Whether a round that others have reached shows that they have left the meeting: it is not one that they would be in if
 * they had just begun, or gone on from one of this peer's places. Without a checkpoint, the others may just have been
 * quicker to begin; with one, a few rounds show that they run.
 */
function meetingOver(stages: readonly Stage[], saved: readonly Checkpoint[], n: number): (reached: number) => boolean {
  const slack = saved.length === 0 ? usualLag(n) : 4;
  const starts = [{ run: 0, round: 0 }, ...saved].map(({ run, round }) => {
    const { base, numbering } = stages[run];
    return { least: base + numbering.of(round), most: base + numbering.of(round + slack) };
  });
  return (reached) => reached >= stages[0].base && starts.every(({ least, most }) => reached < least || reached > most);
}

function findNetwork(reached: number, stages: readonly Stage[]): { run: number; round: number } {
  const run = stages.findLastIndex(({ base }) => base <= reached);
  const { base, numbering, spec } = stages[run];
  const round = numbering.iteration(reached - base) + 1;
  if (round >= spec.rounds && run + 1 < stages.length) return { run: run + 1, round: 0 };
  return { run, round: Math.min(round, spec.rounds) };
}

/** Fewer peers came than the majority that it takes to go on from a checkpoint. */
export class TooFewError extends Error {
  constructor({ transport, checkpoint }: SpecPeerOptions, last: RunPoint, came: number, absent: readonly number[]) {
    const { size } = transport;
    const named = `${absent.slice(0, 8).join(", ")}${absent.length > 8 ? ", ..." : ""}`;
    super(
      `${came} of ${size} peers came to the opening meeting, and going on from a checkpoint ` +
        `(${checkpoint?.store.name}, iteration ${last.round}) takes ${majority(size)}; ` +
        `start the others (${named}), or remove the checkpoint to begin without it`,
    );
    this.name = "TooFewError";
  }
}
