/**
 * Asynchronous rounds in the simulator, on a modelled clock. Computing and sending go on side by side:
 *
 *   node i's iteration takes   max(delay_i(t), (its messages) (alpha + beta b))   seconds,
 *   its k-th message of b bytes is there   k (alpha + beta b)   seconds after its exchange,
 *
 * delay_i(t) being what faults/latency.ts says (`delays`, `straggler`). At the end of its iteration a node takes what is
 * there by then, mixes, sends, and goes on. Nothing else has a time, and all is a function of the spec: the same bits
 * every time.
 *
 * "After u updates" is the moment at which the first node has done round u - 1, with everybody's rows as they are then;
 * the last entry is that of the end, when all are through.
 */

import type { Optimiser } from "../../algorithm/registry.ts";
import type { Latency } from "../../faults/latency.ts";
import { InputError } from "../../input/input.ts";
import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { kernelMixer } from "../../round/kernel-mixer.ts";
import type { Rows } from "../../round/round.ts";
import { averager } from "../average.ts";
import { evaluated } from "../evaluated.ts";
import { Recorder } from "../record.ts";
import type { SimulationOptions, SimulationRecord } from "../simulate.ts";
import { Between } from "../standing.ts";
import { Agenda } from "./agenda.ts";
import type { Step } from "./history.ts";
import type { AsyncMode } from "./mode.ts";
import { AsyncNode } from "./node.ts";
import { Pace } from "./pace.ts";

export interface AsyncSimulation extends Omit<AsyncMode, "mode"> {
  readonly type?: "float64" | "float32";
  /** Told of every exchange, in the order of the clock. */
  readonly onStep?: (rank: number, step: Step, seconds: number) => void;
}

type Options = Omit<SimulationOptions, "mixer" | "async"> & {
  readonly async: AsyncSimulation;
  readonly optimiser: Optimiser;
  readonly every: number;
  readonly seed: number;
  readonly latency: Latency;
};

/** Vectors on their way to a node. */
interface Letter {
  readonly time: number;
  /** Of the sender. */
  readonly rank: number;
  readonly round: number;
  readonly vectors: readonly Rows[];
}

interface Place {
  readonly node: AsyncNode;
  readonly pace: Pace;
  readonly letters: Agenda<Letter>;
  messages: number;
  bytes: number;
}

/** The run: yields where it stands whenever that is recorded. O(rounds n) iterations, and a logarithm for the clock. */
export function* asyncSimulation(options: Options): Generator<unknown, SimulationRecord, unknown> {
  const { topology, problem, optimiser, rounds, every, seed, latency, signal, onProgress } = options;
  const { type = "float64", onStep, ...mode } = options.async;
  const { n, d } = problem;
  const setting = { topology, problem, optimiser, seed, type, mode, drop: options.faults?.drop };
  const places = Array.from(
    { length: n },
    (_, rank): Place => ({
      ...{ node: new AsyncNode({ ...setting, rank }), pace: new Pace(n, rounds), letters: new Agenda() },
      ...{ messages: 0, bytes: 0 },
    }),
  );
  const { vectors: count, scalars = 0 } = optimiser.sends;
  const clock = new Clock(latency, n, seed, (count * d + scalars) * (type === "float64" ? 8 : 4));
  const record = new Recorder();
  const x = type === "float64" ? new Float64Array(n * d) : new Float32Array(n * d);
  const look = (updates: number, seconds: number) => {
    for (const { node } of places) x.set(node.state.x, node.rank * d);
    const most = (name: "bytes" | "messages") => places.reduce((top, place) => Math.max(top, place[name]), 0);
    record.take(updates, problem.metrics(x), { bytes: most("bytes"), messages: most("messages"), seconds });
  };
  const agenda = new Agenda<{ readonly time: number; readonly rank: number }>();
  const begin = ({ node }: Place, now: number) => {
    const { rank, round, iterations } = node;
    if (round + 1 >= rounds) return;
    const sends = node.inbox.to(round + 1).length;
    agenda.add({ time: now + clock.iteration(rank, iterations, sends), rank });
  };

  const send = (place: Place, { round = 0, kept = [] }: Step, vectors: readonly Rows[], now: number) => {
    const { rank, inbox } = place.node;
    const links = inbox.to(round).filter(({ node }) => !kept.includes(node));
    links.forEach(({ node: to }, k) => {
      place.messages++;
      place.bytes += clock.bytes;
      places[to].letters.add({ time: now + (k + 1) * clock.message, rank, round, vectors });
    });
  };

  look(0, 0);
  yield new Between(0, x, record.lists);
  for (const place of places) begin(place, 0);
  let front = 0;
  let now = 0;
  for (let next = agenda.take(); next !== undefined; next = agenda.take()) {
    if (signal?.aborted) throw signal.reason;
    now = next.time;
    const place = places[next.rank];
    const { node, pace, letters } = place;
    for (let first = letters.first; first !== undefined && first.time <= now; first = letters.first) {
      letters.take();
      pace.heard(first.rank, first.round);
      node.inbox.put(first.rank, first.round, first.vectors);
    }
    const vectors = node.compute();
    const step = node.exchange(pace.next(node.round, node.inbox.hears(node.round)));
    onStep?.(node.rank, step, now);
    if (step.round !== undefined) send(place, step, vectors, now);
    begin(place, now);
    const updates = node.round + 1;
    if (updates <= front) continue;
    const due = Math.floor(updates / every) > Math.floor(front / every);
    front = updates;
    onProgress?.(front, rounds);
    if (!due || front === rounds) continue;
    look(front - (front % every), now);
    yield new Between(front, x, record.lists);
  }
  if (rounds > 0) look(rounds, now);
  if (problem.evaluation !== undefined && rounds > 0) {
    record.evaluate(rounds, evaluated(problem, x, rounds, true, averager(kernelMixer(n, type))));
  }
  yield new Between(rounds, x, record.lists);
  return {
    ...{ topology: topology.spec, algorithm: optimiser.spec, problem: problem.name, n, d, seed },
    ...record.lists,
    x: x.slice(),
  };
}

/** What things take. */
class Clock {
  /** Of what a node sends to one other, and the seconds that this takes. */
  readonly bytes: number;
  readonly message: number;
  readonly #latency: Latency;
  readonly #seed: number;
  readonly #words = new Uint32Array(4);

  constructor(latency: Latency, n: number, seed: number, bytes: number) {
    this.bytes = bytes;
    this.message = latency.alpha + latency.beta * bytes;
    this.#latency = latency;
    this.#seed = seed;
    const resting = Array.from({ length: n }, (_, i) => i).find((i) => !((latency.delays?.[i] ?? 0) > 0));
    if (this.message > 0 || resting === undefined) return;
    throw new InputError(
      "asynchronous rounds need a clock: a node's iterations must take some time",
      `0 seconds at node ${resting}`,
      "give latency an alpha above 0, or delays",
    );
  }

  /** The draw of a straggler is the one that latency.ts makes for this node in round t. */
  iteration(rank: number, t: number, sends: number): number {
    const { delays, straggler } = this.#latency;
    let delay = delays?.[rank] ?? 0;
    if (straggler !== undefined) {
      block(this.#seed, streams.straggler, t, Math.floor(rank / 4), this.#words);
      if (this.#words[rank % 4] < straggler.probability * 4294967296) delay += straggler.seconds;
    }
    return Math.max(delay, Math.max(1, sends) * this.message);
  }
}
