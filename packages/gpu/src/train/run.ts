/**
 * Runs of specs on the device: the same spec as on the CPU gives the same result to rounding, and the same result to the
 * last bit on the same adapter, whoever is trained beside it. Runs that fit together (group.ts) are one batch of replicas.
 * Checkpoints are the simulator's: a run begun on the CPU goes on here, and the other way round.
 */

import type { ProblemContext } from "equitopo";
import type { Round } from "equitopo/internal/round";
import { type Counted, type RunOptions, type RunResult, type RunSpec, resultOf } from "equitopo/internal/run";
import type { Gpu } from "../device/adapter.ts";
import type { Program } from "../device/program.ts";
import { mostReplicas } from "../plan/size.ts";
import { NUMBERS } from "../shader/pass.ts";
import { Engine, SLOTS } from "./engine.ts";
import { evaluate, writeOrders } from "./evaluate.ts";
import { groupKey, precisionOf, prepareAll, requireMixed, requireTrainable } from "./group.ts";
import { numbersIn } from "./iteration.ts";
import { linksOf, mostLinks } from "./links.ts";
import { type GpuRunOptions, type Member, membersOf } from "./member.ts";
import { type Operation, textOf } from "./script.ts";

export interface GpuRunsOptions {
  readonly context?: ProblemContext;
  readonly signal?: RunOptions["signal"];
  readonly of?: (k: number) => GpuRunOptions;
  /** When run k is done; others may still be under way. */
  readonly onResult?: (k: number, result: RunResult) => void | Promise<void>;
  /** Replicas that are trained together at most. */
  readonly replicas?: number;
}

/** Losses that wait on the device for being read. */
const LOSS_ROWS = 512;

/** Handfuls of steps that the device may be behind. */
const AHEAD = 4;

/** Does the runs, as many at a time as go together. Results in the order of the specs. */
export async function runOnGpu(gpu: Gpu, runs: readonly RunSpec[], options: GpuRunsOptions = {}): Promise<RunResult[]> {
  runs.forEach(requireTrainable);
  requireMixed(gpu, runs, options.context ?? {});
  const groups = new Map<string, number[]>();
  runs.forEach((run, k) => {
    const key = `${groupKey(run)} ${options.of?.(k).saved?.updates ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), k]);
  });
  const results: RunResult[] = [];
  for (const numbers of groups.values()) {
    const inGroup = numbers.map((k) => runs[k]);
    const prepared = prepareAll(inGroup, options.context ?? {});
    const [{ model, settings }] = prepared;
    const fitting = mostReplicas(gpu, model, settings.batch, precisionOf(inGroup[0]));
    const most = Math.max(1, Math.floor(Math.min(options.replicas ?? fitting, fitting) / settings.n));
    for (let from = 0; from < numbers.length; from += most) {
      const part = numbers.slice(from, from + most);
      const own = (k: number) => options.of?.(k) ?? {};
      const members = membersOf(part, prepared.slice(from, from + most), runs, own, options.signal);
      const done = await runBatch(gpu, members, options);
      part.forEach((k, at) => {
        results[k] = done[at];
      });
    }
  }
  return results;
}

/** What each run had sent after updates that are recorded, while the device is still at work on them. */
interface Look {
  readonly updates: number;
  readonly counted: readonly Counted[];
}

/** Runs that are trained together; their courses agree, but for what is recorded. */
async function runBatch(gpu: Gpu, members: readonly Member[], options: GpuRunsOptions): Promise<RunResult[]> {
  const [{ run, prepared, course, script }] = members;
  const { stepsPerEpoch } = prepared.schedule;
  const [d, s] = [prepared.model.parameterCount, prepared.model.statisticsCount];
  /** Exchanges of an iteration at most. */
  const exchanges = Math.max(...members.map(({ optimiser }) => optimiser.exchanges.yields));
  const engine = await Engine.create({
    gpu,
    runs: members,
    orders: (new Set(members.map(({ order }) => order)).size || 1) * prepared.settings.n,
    lossRows: LOSS_ROWS,
    precision: precisionOf(run),
    exchanges,
    links: members.reduce((sum, { topology: { n, maxDegree }, optimiser: { sends, exchanges } }) => {
      // What goes through no round of its own may be a mean.
      const means = sends.reductions !== undefined || exchanges.yields > exchanges.hops;
      return sum + mostLinks(n, means ? n : maxDegree);
    }, 0),
  });
  const { n, stride, statisticsStride } = engine;
  /** The last evaluation, while it is still to be scored: training goes on meanwhile. */
  let scoring: Promise<void> = Promise.resolve();

  /** Rows and statistics as they begin, or as they were saved. */
  async function begin(): Promise<void> {
    members.forEach(({ prepared: { start }, course: { saved }, script: mine }, at) => {
      const repeated = (row: Float32Array) =>
        Float32Array.from({ length: n * row.length }, (_, k) => row[k % row.length]);
      const kept = (rows: ArrayLike<number> | undefined) => rows && Float32Array.from(rows);
      engine.writeRows(engine.x, stride, kept(saved?.state["x"]) ?? repeated(start.parameters), d, at * n);
      for (const [name, number] of Object.entries(mine.state())) {
        const rows = kept(saved?.state[name]);
        if (number > 0 && rows !== undefined) engine.writeRows(engine.rows(number), stride, rows, d, at * n);
      }
      const statistics = kept(saved?.problem["statistics"]) ?? repeated(start.statistics);
      if (s > 0) engine.writeRows(engine.statistics, statisticsStride, statistics, s, at * n);
    });
    if (course.saved !== undefined || script.opening.length === 0) return;
    engine.submit([[await engine.iteration(script.opening, new Set()), 0]]);
  }

  /** Updates from .. end - 1, or fewer where the signal ends it; then losses and metrics of all of them. */
  async function segment(from: number, end: number): Promise<number> {
    const links = linksOf(engine.replicas, SLOTS * exchanges);
    const flying: Promise<undefined>[] = [];
    const looks: Look[] = [];
    let t = from;
    while (t < end && !course.stopped) {
      const slots = Math.min(SLOTS, end - t);
      const first = t;
      const counts = writeOrders(engine, members, slots, ({ prepared: { schedule } }, node, slot) =>
        schedule.indices(Math.floor((first + slot) / stepsPerEpoch), (first + slot) % stepsPerEpoch, node),
      );
      engine.steps.write(
        counts.map((count, slot) => ({ t: first + slot, count, row: first + slot - from, momentum: 0.1 })),
      );
      const numbers = new Float32Array(slots * NUMBERS * members.length);
      links.clear();
      const calls: (readonly [Program | "spread", number])[] = [];
      for (let slot = 0; slot < slots; slot++, t++) {
        calls.push([await iteration(t, slot, numbers, links), slot]);
        if (!course.due(t + 1).record) continue;
        calls.push(["spread", slot]);
        looks.push({ updates: t + 1, counted: members.map(({ course: own }) => own.meter.counted) });
      }
      engine.writeNumbers(numbers);
      engine.writeLinks(links.span, links.links());
      engine.submit(calls);
      flying.push(engine.idle());
      if (flying.length > AHEAD) await flying.shift();
      for (const { course: own } of members) own.progress(t);
    }
    await look(from, t, looks);
    return t;
  }

  /** What all runs do in iteration t, as a program; their numbers and rounds go into the tables of its slot. */
  async function iteration(t: number, slot: number, numbers: Float32Array, links: ReturnType<typeof linksOf>) {
    const scripts = members.map((member) => member.script.iterate(t));
    const [text] = scripts.map(textOf);
    members.forEach((member, at) => {
      if (textOf(scripts[at]) !== text) throw new Error("runs that are trained together do the same in an iteration");
      numbersIn(scripts[at]).forEach((number, k) => {
        numbers[(slot * NUMBERS + k) * members.length + at] = number;
      });
      const mixes = scripts[at].filter((one) => one.kind === "mix");
      mixes.forEach((mix, k) => {
        links.add(slot * exchanges + k, at * n, exchange(member, mix));
      });
    });
    return engine.iteration(scripts[0], new Set(Object.values(script.state())));
  }

  /** Counts what an exchange sends, and says what is mixed by. */
  function exchange({ course: { meter }, network, mean }: Member, mix: Extract<Operation, { kind: "mix" }>): Round {
    const bytes = 4 * d * mix.vectors.length;
    if (mix.mean) {
      meter.allReduce(bytes);
      return mean;
    }
    const { planned, round } = network.passage(mix.turn.round, mix.turn.exchange);
    meter.exchange(planned, bytes, mix.turn.exchange);
    return round;
  }

  /** The losses of these updates, and what is recorded after some of them. */
  async function look(from: number, to: number, looks: readonly Look[]): Promise<void> {
    const losses = await engine.losses(to - from);
    const squares = await engine.squares(to - from);
    let next = 0;
    for (let t = from; t < to; t++) {
      members.forEach((member, at) => {
        for (let node = 0; node < n; node++) {
          member.losses.add(node, t, losses[(t - from) * engine.replicas + at * n + node]);
        }
      });
      if (looks[next]?.updates !== t + 1) continue;
      const { counted } = looks[next++];
      members.forEach(({ course: own, losses: kept }, at) => {
        const square = squares[(t - from) * members.length + at];
        const metrics = { consensusDistance: Math.sqrt(square / n), batchLoss: kept.lastSum() / n };
        own.take(t + 1, metrics, counted[at]);
      });
    }
  }

  async function evaluated(updates: number, last: boolean): Promise<void> {
    await scoring;
    const tried = members.map((member) => ({ ...member, losses: (node: number) => member.losses.of(node, updates) }));
    scoring = evaluate(engine, tried, last).then((found) => {
      for (const [at, { course: own }] of members.entries()) own.evaluated(updates, found[at]);
    });
    // Whoever waits for it next hears of its failure.
    scoring.catch(() => {});
  }

  /** Checkpoints of those that are due, in the simulator's format. */
  async function save(updates: number): Promise<void> {
    for (const [at, { course: own, script: mine, losses }] of members.entries()) {
      if (!own.saves(updates)) continue;
      await scoring;
      const state: Record<string, Float32Array> = {};
      for (const [name, number] of Object.entries(mine.state())) {
        state[name] = await engine.readRows(engine.rows(number), stride, d, at * n, n);
      }
      const kept = s > 0 && { statistics: await engine.readRows(engine.statistics, statisticsStride, s, at * n, n) };
      own.save(updates, { state, problem: { losses: losses.rows, ...kept } });
    }
  }

  async function finish(): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (const [at, { k, run, topology, course, own }] of members.entries()) {
      const x = await engine.readRows(engine.x, stride, d, at * n, n);
      // What a result says of where it was computed.
      const device = { name: gpu.name, precision: precisionOf(run) };
      const result = { ...resultOf(run, topology, course.lists, x), device };
      if (own.onFile !== undefined) {
        // The averaged model, as the last evaluation left it.
        const parameters = await engine.readRows(engine.averaged, stride, d, at * n, 1);
        const none = new Float32Array(0);
        const statistics = s === 0 ? none : await engine.readRows(engine.estimated, statisticsStride, s, at * n, 1);
        own.onFile("model.safetensors", prepared.file({ parameters, statistics }));
      }
      await options.onResult?.(k, result);
      results.push(result);
    }
    engine.close();
    return results;
  }

  let done = course.first;
  await begin();
  // What is recorded before the first update: all nodes are equal, and there is no loss yet.
  const nothingYet = { consensusDistance: 0, batchLoss: Number.NaN };
  if (course.saved === undefined) for (const member of members) member.course.take(0, nothingYet);
  while (done < course.rounds) {
    if (course.stopped) {
      await save(done);
      course.stop();
    }
    done = await segment(done, Math.min(course.nextEvaluation(done), done + LOSS_ROWS));
    const { evaluate: due, last } = course.due(done);
    if (due) await evaluated(done, last);
    await save(done);
  }
  await scoring;
  return finish();
}
