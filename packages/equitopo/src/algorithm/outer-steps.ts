/**
 * What travels of an outer step, and when: three options of all outer rules, and none of a rule's own business. Z is what a rule
 * hands over to be mixed, V what mixes it (W, or J); a rule is handed back V Z, or what takes its place here.
 *
 * compress:  Q = q(Z + E);   E <- E + Z - Q;   V Z is replaced by Z + (V Q - Q).
 *
 *   Q is sent, E is what a node still owes. The sum over the nodes stays that of Z, exactly, since V Q - Q has none. W changes
 *   from step to step, so that no copies of neighbours are kept (choco has them), and q rounds a model instead of a difference.
 *   So nodes agree to a unit of q only, the largest number of 256 in 127 or 7 parts, however long they mix: what is
 *   added to V Z is (V - I) times the change of E, which never ends. Measured without gradients at n = 16: an rms of 0.36 to 0.40 of a
 *   unit over the ring, OD-EquiDyn, one-peer-exp and static-exp alike, with 8 and with 4 bits. Without E, models that are rounded alike
 *   would never come closer.
 *
 * fragments: F parts of the columns in turn, a part every steps / F updates: after (e + 1) steps / F updates the part e mod F, as
 *   its outer step k = floor(e / F). Each part is a model of its own to the rule, with the rule's states of its columns. Outer
 *   step k of every part goes through the same rounds, so that each part sees all of them.
 *
 * late:      at the end of outer step k a node keeps its models as H and goes on from them; one step later the rule works on H.
 *
 *   H <- X at the end of step k;   at the end of step k + 1:   X <- rule(H) + (X - H),   then H <- X.
 *
 *   So the updates done since are put on top of a rule's step on the models of one step ago, and what it sends is known a step
 *   before it is wanted. It is not V Z - Z that arrives late on top of a step that has gone on without it, which never settles
 *   where V has an eigenvalue 0, and diverges below. With fragments a step is steps / F updates. The last step of a run is not
 *   taken.
 */

import { InputError, onlyKeys } from "../input/input.ts";
import { about, flag, type Option, type Options, whole } from "../input/option.ts";
import type { Rows } from "../round/round.ts";
import type { Mix, State, World } from "./algorithm.ts";
import { type Compressor, inBlocks, quantise } from "./compressor.ts";
import { likeModels } from "./iterations.ts";

/** What exchanges of an outer step are driven by: it yields what is to be mixed. */
export type Exchanging<Result = void> = Generator<Mix, Result, readonly Rows[]>;

/** Quantisation to so many bits a number. */
export interface CompressSpec {
  readonly name: "quantise";
  readonly bits: 8 | 4;
}

const compress: Option<CompressSpec | "none"> = {
  default: "none",
  range: 'none, or { name: "quantise", bits: 8 or 4 }',
  help: "what an outer step sends, with feedback of the error",
  check(name, value) {
    if (value === "none") return value;
    const {
      name: kind,
      bits = 8,
      ...others
    } = (typeof value === "object" && value !== null ? value : {}) as Partial<CompressSpec>;
    onlyKeys(name, others, []);
    if (kind === "quantise" && (bits === 8 || bits === 4)) return { name: kind, bits };
    const rule = `${name} must be none, or quantise with 8 or 4 bits`;
    throw new InputError(rule, value, 'try { name: "quantise", bits: 8 }');
  },
};

export const sendingOptions = {
  compress,
  fragments: about(whole(1, 1), "F, parts of the model that are sent in turn, one every steps / F updates"),
  late: about(flag(), "goes on computing while an outer step's vectors travel, and applies them one step later"),
} satisfies Options;

/** The values of these options, beside those of which they speak. */
export interface Sending {
  readonly steps: number;
  readonly compress?: CompressSpec | "none";
  readonly fragments?: number;
  readonly late?: boolean;
}

/** Updates from one exchange to the next. */
export function updatesApart({ steps, fragments = 1 }: Sending): number {
  if (steps % fragments === 0) return steps / fragments;
  const rule = `steps must be a multiple of fragments, ${fragments}, of which one is sent every steps / fragments updates`;
  throw new InputError(rule, steps, `try steps = ${fragments * Math.ceil(steps / fragments)}`);
}

/** The first column of fragment f of d columns. */
const columnOf = (f: number, d: number, fragments: number) => Math.floor((f * d) / fragments);

/** Numbers that share a unit. */
const blockSize = 256;

/** q for rows of d numbers. */
const codecOf = ({ bits }: CompressSpec, d: number): Compressor =>
  inBlocks(d, blockSize, (size) => quantise(size, bits));

/** Bytes of one vector, all its fragments. */
export function compressedBytes({ compress = "none", fragments = 1 }: Sending) {
  if (compress === "none") return {};
  const bytesOf = (d: number, size: number) => {
    const columns = Array.from({ length: fragments + 1 }, (_, f) => columnOf(f, d, fragments));
    return columns.slice(1).reduce((sum, to, f) => sum + codecOf(compress, to - columns[f]).bytes(size), 0);
  };
  return { compressed: bytesOf };
}

/** A rule's outer step k on models and states; `t` is the last of its updates, `memory` is of their width and of nobody else. */
export type Outer = (state: State, k: number, t: number, memory: Rows[]) => Exchanging;

/** What a rule works with. */
export interface Rule {
  /** The names of its states. */
  readonly states: readonly string[];
  /** Vectors that it needs beside them, as memory. */
  readonly memory: number;
  readonly outer: Outer;
}

/** A rule's exchanges, `made` of them before; each follows on update t. `states` are kept beside the rule's. */
export function outerSteps(world: World, options: Sending, rule: Rule) {
  const { compress = "none", fragments = 1, late = false } = options;
  const { copy, add, setBack } = world.passes;
  const every = updatesApart(options);
  const states: Record<string, Rows> = {
    ...(compress === "none" ? {} : { error: world.rows() }),
    ...(late ? { held: likeModels(world) } : {}),
  };
  const names = ["x", ...rule.states, ...Object.keys(states)];
  const parts = partsOf(world, fragments, names, rule.memory);
  const coded = compress === "none" ? rule.outer : withFeedback(world, compress, parts.widths, rule.outer);

  /** The rule's outer step on a fragment. */
  function* step({ state, memory, f }: Part, k: number, t: number): Exchanging {
    const work = coded(state, k, t, memory);
    for (let next = work.next(); !next.done; ) {
      next = work.next(yield fragments === 1 ? next.value : { ...next.value, part: f });
    }
  }

  /** The rule's next vectors, from copies of all that it changes. */
  function* begin({ state, memory, f }: Part, k: number, t: number): Exchanging {
    const { count } = world;
    const copied = ([name, rows]: readonly [string, Rows]) => {
      const own = world.rows(rows.length / count);
      copy(own, rows);
      return [name, own] as const;
    };
    const rehearsed = Object.fromEntries(names.map((name) => copied([name, state[name]]))) as State;
    const spare = memory.map((rows) => copied(["", rows])[1]);
    const { value } = step({ state: rehearsed, memory: spare, f }, k, t).next();
    if (value !== undefined && value.heard === undefined) yield { ...value, begin: every };
  }

  return {
    every,
    states,
    *exchange(whole: State, made: number, t: number): Exchanging {
      const k = Math.floor(made / fragments);
      if (late && made > 0) {
        const before = parts.take(whole, (made - 1) % fragments);
        const { state } = before;
        setBack(state.x, state["held"]);
        yield* step(before, k, t - every);
        add(state.x, state["held"]);
        parts.put(whole, before);
      }
      const part = parts.take(whole, made % fragments);
      if (late) copy(part.state["held"], part.state.x);
      else yield* step(part, k, t);
      parts.put(whole, part);
      if (late && world.begins === true) yield* begin(part, k, t);
    },
  };
}

/** A fragment: columns of all states, as rows of their own. */
interface Part {
  readonly state: State;
  readonly memory: Rows[];
  /** Its number. */
  readonly f: number;
}

/** Takes fragments out of a state and puts them back; the only one of a model is the very state. */
function partsOf(world: World, fragments: number, names: readonly string[], memory: number) {
  const newMemory = (width?: number) => Array.from({ length: memory }, () => world.rows(width));
  if (fragments === 1) {
    const own = newMemory();
    return { widths: [undefined], take: (state: State): Part => ({ state, memory: own, f: 0 }), put: () => {} };
  }
  const { d, count } = world;
  if (fragments > d) {
    throw new InputError(`fragments must be at most d = ${d}, the numbers of a model`, fragments, `try ${d}`);
  }
  const from = (f: number) => columnOf(f, d, fragments);
  const widthOf = (f: number) => from(f + 1) - from(f);
  const widths = [...new Set(Array.from({ length: fragments }, (_, f) => widthOf(f)))];
  const parts = new Map(
    widths.map((width) => {
      const state = Object.fromEntries(names.map((name) => [name, world.rows(width)])) as State;
      return [width, { state, memory: newMemory(width) }];
    }),
  );
  return {
    widths,
    take(whole: State, f: number): Part {
      const part = { ...(parts.get(widthOf(f)) as Omit<Part, "f">), f };
      for (const name of names) world.passes.takeColumns(part.state[name], whole[name], from(f), count);
      return part;
    },
    put(whole: State, { state, f }: Part): void {
      for (const name of names) world.passes.putColumns(whole[name], state[name], from(f), count);
    },
  };
}

/** A rule whose vector travels compressed. */
function withFeedback(world: World, spec: CompressSpec, widths: readonly (number | undefined)[], rule: Outer): Outer {
  const { copy, add, subtract } = world.passes;
  const lanes = widths.map((width) => ({ sent: world.rows(width), codec: codecOf(spec, width ?? world.d) }));
  return function* (state, k, t, memory) {
    const { error } = state;
    const lane = lanes.find(({ sent }) => sent.length === error.length) as (typeof lanes)[number];
    const step = rule(state, k, t, memory);
    for (let next = step.next(); !next.done; ) {
      const [z] = next.value.vectors;
      copy(lane.sent, z);
      add(lane.sent, error);
      const coded = world.encode(lane.codec, t, lane.sent);
      subtract(z, lane.sent);
      add(error, z);
      [lane.sent] = yield { ...next.value, vectors: [lane.sent], coded };
      add(z, lane.sent);
      next = step.next([z]);
    }
  };
}
