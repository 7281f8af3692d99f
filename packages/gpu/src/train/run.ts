/**
 * Runs of specs on the device: the same spec as on the CPU gives the same result to rounding, and the same result to the
 * last bit on the same adapter, whoever is trained beside it. Runs that fit together (group.ts) are one batch of replicas.
 * Checkpoints are the simulator's: a run begun on the CPU goes on here, and the other way round.
 */

import { encodeModel } from "@equitopo/nn";
import type { ProblemContext } from "equitopo";
import type { Round } from "equitopo/round";
import { prefixed, type RunOptions, type RunResult, type RunSpec, resultOf, type SavedRun } from "equitopo/run";
import type { Gpu } from "../device/adapter.ts";
import type { Program } from "../device/program.ts";
import { mostReplicas } from "../plan/size.ts";
import { NUMBERS } from "../shader/pass.ts";
import { Engine, SLOTS } from "./engine.ts";
import { evaluate, writeOrders } from "./evaluate.ts";
import { groupKey, precisionOf, prepareAll, requireMixed, requireTrainable } from "./group.ts";
import { numbersIn } from "./iteration.ts";
import { Links, mostLinks } from "./links.ts";
import { type GpuRunOptions, type Member, membersOf } from "./member.ts";
import { type Operation, textOf } from "./script.ts";

export interface GpuRunsOptions {
  readonly context?: ProblemContext;
  readonly signal?: RunOptions["signal"];
  /** What belongs to run k. */
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
    const prepared = prepareAll(
      numbers.map((k) => runs[k]),
      options.context ?? {},
    );
    const [{ model, settings }] = prepared;
    const fitting = Math.min(
      options.replicas ?? Number.POSITIVE_INFINITY,
      mostReplicas(gpu, model, settings.batch, precisionOf(runs[numbers[0]])),
    );
    const most = Math.max(1, Math.floor(fitting / settings.n));
    for (let from = 0; from < numbers.length; from += most) {
      const part = numbers.slice(from, from + most);
      const members = membersOf(part, prepared.slice(from, from + most), runs, (k) => options.of?.(k) ?? {});
      const done = await new Batch(gpu, members, options).run();
      part.forEach((k, at) => {
        results[k] = done[at];
      });
    }
  }
  return results;
}

class Batch {
  readonly #gpu: Gpu;
  readonly #members: readonly Member[];
  readonly #options: GpuRunsOptions;
  /** The last evaluation, while it is still to be scored: training goes on meanwhile. */
  #scoring: Promise<void> = Promise.resolve();

  constructor(gpu: Gpu, members: readonly Member[], options: GpuRunsOptions) {
    this.#gpu = gpu;
    this.#members = members;
    this.#options = options;
  }

  async run(): Promise<RunResult[]> {
    const members = this.#members;
    const [{ run, prepared, own }] = members;
    const { rounds, every } = run;
    const { stepsPerEpoch } = prepared.schedule;
    const period = run.evaluate ?? stepsPerEpoch;
    const engine = await Engine.create({
      gpu: this.#gpu,
      runs: members.map(({ prepared: mine, order }) => ({ prepared: mine, order })),
      orders: (new Set(members.map(({ order }) => order)).size || 1) * prepared.settings.n,
      lossRows: LOSS_ROWS,
      precision: precisionOf(run),
      exchanges: this.#exchanges,
      links: members.reduce((sum, { topology: { n, maxDegree }, optimiser: { sends, exchanges } }) => {
        // What goes through no round of its own may be a mean.
        const means = sends.reductions !== undefined || exchanges.yields > exchanges.hops;
        return sum + mostLinks(n, means ? n : maxDegree);
      }, 0),
    });
    let done = own.saved?.updates ?? 0;
    await this.#begin(engine);
    if (own.saved === undefined) for (const member of members) this.#first(member);
    while (done < rounds) {
      if (this.#options.signal?.aborted) {
        await this.#save(engine, done, () => true);
        throw this.#options.signal.reason;
      }
      const end = Math.min(rounds, done + LOSS_ROWS, (Math.floor(done / period) + 1) * period);
      done = await this.#segment(engine, done, end, every, period);
      if (done === rounds || done % period === 0) await this.#evaluate(engine, done, done === rounds);
      await this.#save(engine, done, ({ own: { keep } }) => keep?.due(done) ?? false);
    }
    await this.#scoring;
    return this.#finish(engine);
  }

  get #exchanges(): number {
    return Math.max(...this.#members.map(({ optimiser }) => optimiser.exchanges.yields));
  }

  /** Rows and statistics as they begin, or as they were saved. */
  async #begin(engine: Engine): Promise<void> {
    const [{ script, own: first }] = this.#members;
    this.#members.forEach(({ prepared: { start, model }, own: { saved }, script: mine }, at) => {
      const { n } = engine;
      const repeated = (row: Float32Array) => {
        const rows = new Float32Array(n * row.length);
        for (let k = 0; k < n; k++) rows.set(row, k * row.length);
        return rows;
      };
      const kept = (name: string) => saved?.vectors[name] && Float32Array.from(saved.vectors[name]);
      const [d, s] = [model.parameterCount, model.statisticsCount];
      engine.writeRows(engine.x, engine.stride, kept("state.x") ?? repeated(start.parameters), d, at * n);
      for (const [name, number] of Object.entries(mine.state())) {
        const rows = kept(`state.${name}`);
        if (number > 0 && rows !== undefined) engine.writeRows(engine.rows(number), engine.stride, rows, d, at * n);
      }
      const statistics = kept("problem.statistics") ?? repeated(start.statistics);
      if (s > 0) engine.writeRows(engine.statistics, engine.statisticsStride, statistics, s, at * n);
    });
    if (first.saved !== undefined || script.opening.length === 0) return;
    engine.submit([[await engine.iteration(script.opening, new Set()), 0]]);
  }

  /** What is recorded before the first update: all nodes are equal, and there is no loss yet. */
  #first({ record, meter }: Member): void {
    record.take(0, { consensusDistance: 0, batchLoss: Number.NaN }, meter);
  }

  /** Updates done .. end - 1, or fewer where the signal ends it; then losses and metrics of all of them. */
  async #segment(engine: Engine, done: number, end: number, every: number, period: number): Promise<number> {
    const members = this.#members;
    const { rounds } = members[0].run;
    const links = new Links(engine.replicas, SLOTS * this.#exchanges);
    const flying: Promise<undefined>[] = [];
    const looks: { updates: number; counted: { bytes: number; messages: number; seconds: number }[] }[] = [];
    let t = done;
    while (t < end && !this.#options.signal?.aborted) {
      const slots = Math.min(SLOTS, end - t);
      const first = t;
      const { stepsPerEpoch } = members[0].prepared.schedule;
      const counts = writeOrders(engine, members, slots, ({ prepared: { schedule } }, node, slot) =>
        schedule.indices(Math.floor((first + slot) / stepsPerEpoch), (first + slot) % stepsPerEpoch, node),
      );
      engine.steps.write(
        counts.map((count, slot) => ({ t: first + slot, count, row: first + slot - done, momentum: 0.1 })),
      );
      const numbers = new Float32Array(slots * NUMBERS * members.length);
      links.clear();
      const calls: (readonly [Program | "spread", number])[] = [];
      for (let slot = 0; slot < slots; slot++, t++) {
        calls.push([await this.#iteration(engine, t, slot, numbers, links), slot]);
        const updates = t + 1;
        if (updates % every !== 0 && updates !== rounds && updates % period !== 0) continue;
        calls.push(["spread", slot]);
        const counted = members.map(({ meter: { bytes, messages, seconds } }) => ({ bytes, messages, seconds }));
        looks.push({ updates, counted });
      }
      engine.writeNumbers(numbers);
      engine.writeLinks(links.span, links.links);
      engine.submit(calls);
      flying.push(engine.idle());
      if (flying.length > AHEAD) await flying.shift();
      for (const { own } of members) own.onProgress?.(t, rounds);
    }
    await this.#look(engine, done, t, looks);
    return t;
  }

  /** What all runs do in iteration t, as a program; their numbers and rounds go into the tables of its slot. */
  async #iteration(engine: Engine, t: number, slot: number, numbers: Float32Array, links: Links): Promise<Program> {
    const members = this.#members;
    const scripts = members.map(({ script }) => script.iterate(t));
    const [text] = scripts.map(textOf);
    members.forEach((member, at) => {
      if (textOf(scripts[at]) !== text) throw new Error("runs that are trained together do the same in an iteration");
      numbersIn(scripts[at]).forEach((number, k) => {
        numbers[(slot * NUMBERS + k) * members.length + at] = number;
      });
      const mixes = scripts[at].filter((one) => one.kind === "mix");
      mixes.forEach((mix, k) => {
        links.add(slot * this.#exchanges + k, at * engine.n, this.#exchange(member, mix));
      });
    });
    return engine.iteration(scripts[0], new Set(Object.values(members[0].script.state())));
  }

  /** Counts what an exchange sends, and says what is mixed by. */
  #exchange({ meter, network, prepared, mean }: Member, mix: Extract<Operation, { kind: "mix" }>): Round {
    const bytes = 4 * prepared.model.parameterCount * mix.vectors.length;
    if (mix.mean) {
      meter.allReduce(bytes);
      return mean;
    }
    const { planned, round } = network.passage(mix.turn.round, mix.turn.exchange);
    meter.exchange(planned, bytes, mix.turn.exchange);
    return round;
  }

  async #look(
    engine: Engine,
    from: number,
    to: number,
    looks: readonly { updates: number; counted: readonly { bytes: number; messages: number; seconds: number }[] }[],
  ): Promise<void> {
    const rows = to - from;
    const losses = await engine.losses(rows);
    const squares = await engine.squares(rows);
    const members = this.#members;
    let next = 0;
    for (let t = from; t < to; t++) {
      members.forEach((member, at) => {
        for (let node = 0; node < engine.n; node++) {
          member.losses.add(node, t, losses[(t - from) * engine.replicas + at * engine.n + node]);
        }
      });
      if (looks[next]?.updates !== t + 1) continue;
      const { counted } = looks[next++];
      members.forEach(({ record, losses: kept }, at) => {
        const square = squares[(t - from) * members.length + at];
        const metrics = { consensusDistance: Math.sqrt(square / engine.n), batchLoss: kept.lastSum() / engine.n };
        record.take(t + 1, metrics, counted[at]);
      });
    }
  }

  async #evaluate(engine: Engine, updates: number, last: boolean): Promise<void> {
    await this.#scoring;
    const scores = evaluate(
      engine,
      this.#members.map(({ prepared, order, losses }) => ({
        ...{ prepared, order, losses: (node: number) => losses.of(node, updates) },
      })),
      last,
    );
    this.#scoring = scores.then((found) => {
      this.#members.forEach(({ record, own }, at) => {
        record.evaluate(updates, found[at]);
        own.onEvaluation?.(updates, found[at]);
      });
    });
    // Whoever waits for it next hears of its failure.
    this.#scoring.catch(() => {});
  }

  /** Checkpoints of those that are due, in the simulator's format. */
  async #save(engine: Engine, updates: number, due: (member: Member) => boolean): Promise<void> {
    for (const [at, member] of this.#members.entries()) {
      const { own, prepared, script, meter, record, losses } = member;
      if (own.keep === undefined || !due(member)) continue;
      await this.#scoring;
      const [d, s] = [prepared.model.parameterCount, prepared.model.statisticsCount];
      const rows = (buffer: GPUBuffer, stride: number, width: number) =>
        engine.readRows(buffer, stride, width, at * engine.n, engine.n);
      const state: Record<string, Float32Array> = {};
      for (const [name, number] of Object.entries(script.state())) {
        state[name] = await rows(engine.rows(number), engine.stride, d);
      }
      const problem = {
        losses: losses.rows,
        ...(s === 0 ? {} : { statistics: await rows(engine.statistics, engine.statisticsStride, s) }),
      };
      const vectors: SavedRun["vectors"] = {
        ...prefixed("state.", state),
        ...prefixed("problem.", problem),
        ...prefixed("meter.", meter.state()),
        ...prefixed("record.", record.state()),
      };
      own.keep.save({ updates, vectors });
    }
  }

  async #finish(engine: Engine): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (const [at, { k, run, topology, record, prepared, own }] of this.#members.entries()) {
      const d = prepared.model.parameterCount;
      const x = await engine.readRows(engine.x, engine.stride, d, at * engine.n, engine.n);
      const result = { ...resultOf(run, topology, record.lists, x), device: deviceOf(this.#gpu, run) };
      if (own.onFile !== undefined) own.onFile("model.safetensors", await this.#model(engine, at));
      await this.#options.onResult?.(k, result);
      results.push(result);
    }
    engine.close();
    return results;
  }

  /** The averaged model of run `at`, as the last evaluation left it. */
  async #model(engine: Engine, at: number): Promise<Uint8Array> {
    const { prepared } = this.#members[at];
    const { model, settings, test } = prepared;
    const first = at * engine.n;
    const parameters = await engine.readRows(engine.averaged(), engine.stride, model.parameterCount, first, 1);
    const s = model.statisticsCount;
    const statistics =
      s === 0 ? new Float32Array(0) : await engine.readRows(engine.estimated, engine.statisticsStride, s, first, 1);
    const { data: source, seed, images } = settings;
    const dataset = typeof source === "string" ? source : source.name;
    return encodeModel(
      model,
      {
        ...{ spec: settings.model, shape: test.shape, classes: test.classes, normalisation: settings.normalisation },
        ...{ parameters, statistics },
      },
      { dataset, data: JSON.stringify({ source, seed, images }) },
    );
  }
}

/** What a result says of where it was computed. */
export const deviceOf = ({ name }: Gpu, run: RunSpec) => ({ name, precision: precisionOf(run) });
