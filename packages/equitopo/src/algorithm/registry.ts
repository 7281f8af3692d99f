/** Every algorithm by name. A new one is one file and one line here; the law suite then runs on it. */

import { settle } from "../input/option.ts";
import { type ByName, type Choice, Registry, type Unwritten } from "../input/registry.ts";
import type { Algorithm, Exchanges, Running, State, Traffic, World } from "./algorithm.ts";
import { atcGt } from "./atc-gt.ts";
import { centralised } from "./centralised.ts";
import { choco } from "./choco.ts";
import { dAdam } from "./d-adam.ts";
import { d2 } from "./d2.ts";
import { decentLam } from "./decentlam.ts";
import { diging } from "./diging.ts";
import { diloco } from "./diloco.ts";
import { dmsgd } from "./dmsgd.ts";
import { dsgd } from "./dsgd.ts";
import { dsgdCeca } from "./dsgd-ceca.ts";
import { dsgt } from "./dsgt.ts";
import { epidemic } from "./epidemic.ts";
import { exactDiffusion } from "./exact-diffusion.ts";
import { extra } from "./extra.ts";
import { gasloc } from "./gasloc.ts";
import { gossipDiloco } from "./gossip-diloco.ts";
import { gossipPga } from "./gossip-pga.ts";
import { localAdamw } from "./local-adamw.ts";
import { localSteps } from "./local-steps.ts";
import { momentumTracking } from "./momentum-tracking.ts";
import { nids } from "./nids.ts";
import { noloco } from "./noloco.ts";
import { pushSum } from "./push-sum.ts";
import { qgDsgdm } from "./qg-dsgdm.ts";
import { createSchedule, type Schedule, type ScheduleContext, type ScheduleSpec } from "./schedule.ts";
import { slowmo } from "./slowmo.ts";

const members = [
  dsgd,
  dmsgd,
  dsgt,
  diging,
  atcGt,
  exactDiffusion,
  d2,
  nids,
  extra,
  qgDsgdm,
  decentLam,
  momentumTracking,
  pushSum,
  dsgdCeca,
  epidemic,
  choco,
  dAdam,
  localSteps,
  gossipPga,
  localAdamw,
  diloco,
  gossipDiloco,
  noloco,
  slowmo,
  gasloc,
  centralised,
];

/** All of them, in the order of `equitopo list`. */
export const algorithms = new Registry<Algorithm>("algorithm", members);

/** The algorithms by name, for the compiler; a plug-in may declare its own. */
export interface AlgorithmMembers extends ByName<(typeof members)[number]> {}

/** What a program writes: the name of an algorithm, its learning rate (default 0.01) and its options. */
export type AlgorithmChoice = Choice<AlgorithmMembers, { readonly learningRate?: ScheduleSpec }>;

/** The name of an algorithm, its learning rate (default 0.01) and its options: plain JSON. */
export interface AlgorithmSpec {
  readonly name: string;
  readonly learningRate?: ScheduleSpec;
  readonly [option: string]: unknown;
}

/** An algorithm with its learning rate and its options settled. */
export interface Optimiser {
  readonly name: string;
  readonly algorithm: Algorithm;
  /** All that is needed to build it again, with the defaults filled in. */
  readonly spec: AlgorithmSpec;
  readonly learningRate: Schedule;
  /** What a node sends in an iteration, on average. */
  readonly sends: Traffic;
  /** How many exchanges an iteration makes at most. */
  readonly exchanges: Exchanges;
  /** Starts it in a world; if `saved` is given, from that state. */
  start(world: World, saved?: Readonly<State>): Running;
}

/** The algorithm of that name, or an error that suggests the nearest. */
export const algorithm = (name: string): Algorithm => algorithms.get(name);

/**
 * The algorithm that a spec describes: `{ name, learningRate }` and that algorithm's options. `context` is what a learning
 * rate may depend on.
 *
 * @example
 * ```ts
 * import { createAlgorithm } from "equitopo";
 * const method = createAlgorithm({ name: "dmsgd", learningRate: 0.1 });
 * method.spec["momentum"] // => 0.9
 * method.sends.vectors // => 1
 * ```
 */
export function createAlgorithm(spec: AlgorithmChoice, context?: ScheduleContext): Optimiser;
export function createAlgorithm<N extends string>(
  spec: Unwritten<AlgorithmSpec, N>,
  context?: ScheduleContext,
): Optimiser;
export function createAlgorithm(spec: AlgorithmSpec, context: ScheduleContext = {}): Optimiser {
  return optimiserOf(algorithms.get(spec.name), spec, context);
}

/** A member with the learning rate and the options of a spec, registered or not. */
export function optimiserOf(member: Algorithm, spec: AlgorithmSpec, context: ScheduleContext = {}): Optimiser {
  const { name, learningRate = 0.01, ...given } = spec;
  const options = settle(name, member.options, given, ["learningRate"], `${name}'s `);
  return {
    name,
    algorithm: member,
    spec: { name, learningRate, ...options },
    learningRate: createSchedule(learningRate, context),
    sends: member.sends(options),
    exchanges: member.exchanges(options),
    start: (world, saved) => member.start(world, options, saved),
  };
}
