/**
 * Asynchronous rounds in the simulator, on a modelled clock. A node computes and sends at the same time:
 *
 *   node i's iteration takes   max(delay_i(t), (its messages) (alpha + beta b))   seconds,
 *   its k-th message of b bytes arrives   k (alpha + beta b)   seconds after its exchange,
 *
 * delay_i(t) being that of faults/latency.ts (`delays`, `straggler`). At the end of its iteration a node mixes the vectors
 * that have arrived by then, sends, and goes on. Nothing else takes time, and everything follows from the spec: the same
 * bits every time.
 *
 * "After u updates" is the moment at which the first node has done round u - 1, with the rows of all nodes at that moment;
 * the last entry is that of the end, when all nodes are through.
 */

import type { Optimiser } from "../../algorithm/registry.ts";
import type { Latency } from "../../faults/latency.ts";
import { InputError } from "../../input/input.ts";
import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { kernelMixer } from "../../round/kernel-mixer.ts";
import type { Rows } from "../../round/round.ts";
import { evaluator } from "../average.ts";
import { Course } from "../course/course.ts";
import { Snapshot } from "../record.ts";
import type { SimulationOptions } from "../simulation-options.ts";
import { Agenda } from "./agenda.ts";
import type { Step } from "./history.ts";
import type { AsyncSimulation } from "./mode.ts";
import { type AsyncNode, asyncNode, newRow } from "./node.ts";
import { type Pace, paceOf } from "./pace.ts";

type Options = Omit<SimulationOptions<string>, "mixer" | "async"> & {
  readonly rounds: number;
  readonly async: AsyncSimulation;
  readonly optimiser: Optimiser;
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
}

/** The run; yields a snapshot whenever it is recorded. O(rounds n) iterations, each O(log n) on the clock. */
export function* asyncSimulation(options: Options): Generator<unknown, Course["lists"] & { x: Rows }, unknown> {
  const { topology, problem, optimiser, seed, latency } = options;
  const { type = "float64", onStep, ...mode } = options.async;
  const { n, d } = problem;
  const course = new Course({ ...options, async: true, saved: undefined, exchanges: optimiser.exchanges });
  const { rounds } = course;
  const setting = { topology, problem, optimiser, seed, type, mode, drop: options.faults?.drop };
  const places = Array.from({ length: n }, (_, rank): Place => {
    return { node: asyncNode({ ...setting, rank }), pace: paceOf(n, rounds), letters: new Agenda(), messages: 0 };
  });
  const { vectors: count, scalars = 0 } = optimiser.sends;
  const bytes = (count * d + scalars) * (type === "float64" ? 8 : 4);
  const clock = clockOf(latency, n, seed, bytes);
  const x = newRow(type, n * d);
  const look = (updates: number, seconds: number) => {
    for (const { node } of places) x.set(node.state.x, node.rank * d);
    const most = places.reduce((top, { messages }) => Math.max(top, messages), 0);
    course.take(updates, problem.metrics(x), { bytes: most * bytes, messages: most, seconds });
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
    place.messages += links.length;
    links.forEach(({ node: to }, k) => {
      places[to].letters.add({ time: now + (k + 1) * clock.message, rank, round, vectors });
    });
  };

  look(0, 0);
  yield new Snapshot(0, x, course.lists);
  for (const place of places) begin(place, 0);
  let front = 0;
  let now = 0;
  for (let next = agenda.take(); next !== undefined; next = agenda.take()) {
    if (course.stopped) course.stop();
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
    const at = course.passed(front, updates);
    front = updates;
    course.progress(front);
    if (at === undefined || front === rounds) continue;
    look(at, now);
    yield new Snapshot(front, x, course.lists);
  }
  if (rounds > 0) look(rounds, now);
  if (course.due(rounds).evaluate) {
    course.evaluated(rounds, evaluator(problem, kernelMixer(n, type))(x, rounds, true));
  }
  yield new Snapshot(rounds, x, course.lists);
  return { ...course.lists, x: x.slice() };
}

/** The seconds that a message of so many bytes takes, and those of iterations. */
function clockOf(latency: Latency, n: number, seed: number, bytes: number) {
  const { alpha, beta, delays = [], straggler } = latency;
  const message = alpha + beta * bytes;
  const resting = Array.from({ length: n }, (_, i) => i).find((i) => !((delays[i] ?? 0) > 0));
  if (!(message > 0) && resting !== undefined) {
    const rule = "asynchronous rounds need a clock: each iteration must take some time";
    throw new InputError(rule, `0 seconds at node ${resting}`, "give latency an alpha above 0, or delays");
  }
  const words = new Uint32Array(4);
  /** The seconds of iteration t. A straggler is drawn as latency.ts draws it for this node in round t. */
  const iteration = (rank: number, t: number, sends: number) => {
    let delay = delays[rank] ?? 0;
    if (straggler !== undefined) {
      block(seed, streams.straggler, t, Math.floor(rank / 4), words);
      if (words[rank % 4] < straggler.probability * 4294967296) delay += straggler.seconds;
    }
    return Math.max(delay, Math.max(1, sends) * message);
  };
  return { message, iteration };
}
