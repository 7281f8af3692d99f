/**
 * Where a peer's time goes in a round: the samples of V8's profiler (one in 0.1 ms) in rounds as they are, by the source file of the
 * function they fell into. What has no file of ours, such as a copy, counts for the function that called it. Waiting is the
 * event loop's and Atomics.wait; a socket that is read is read in the event loop, before JavaScript hears of it, and counts as
 * waiting, too: the processor time beside it tells them apart. Where every core is busy the sampler itself comes late, and mostly
 * when this peer sleeps: then only the processor time can be trusted.
 */

import { type Profiler, Session } from "node:inspector";

export const parts = [
  ...(["schedule", "framing", "copies", "checks", "averaging", "engine", "bookkeeping", "garbage", "waiting"] as const),
];
export type Part = (typeof parts)[number];

export interface Where {
  /** Milliseconds a round, by part. */
  readonly of: Readonly<Record<Part, number>>;
  /** Milliseconds of processor time a round, of this process: in JavaScript and libraries, and in the system. */
  readonly user: number;
  readonly system: number;
}

/** The first that matches counts: function, a space, file. The profiler itself is left out. */
const rules: readonly (readonly [RegExp, Part | undefined])[] = [
  [/inspector/, undefined],
  [/^\(idle\)|^lookOut /, "waiting"],
  [/^\(garbage/, "garbage"],
  [/wasm|round\/combine|kernel\/space/, "averaging"],
  [/^notFinite /, "checks"],
  [/^(push|advance) .*exchange\/frame|^place .*threads\/slots|spare-vectors/, "copies"],
  [/exchange\/frame|number\/crc32|threads\/mailbox|mpi\/.*inbound|^(readHeader|take) /, "framing"],
  [/\/topology\/|\/random\/|\/relabel/, "schedule"],
  [/node:(net|internal\/(stream|net|js_stream)|_http|tls|_tls)|node\/dist\/tcp\/|mpi\/dist\/|threads\/board/, "engine"],
  [/^\(program\)/, "engine"],
];

/** The part of a place in the stack; a function without a file belongs to its caller. */
function partOf(node: Profiler.ProfileNode | undefined, callers: ReadonlyMap<number, Profiler.ProfileNode>) {
  for (let at = node; at !== undefined; at = callers.get(at.id)) {
    const { functionName, url } = at.callFrame;
    const found = rules.find(([pattern]) => pattern.test(`${functionName} ${url}`));
    if (found !== undefined) return found[1];
    if (url !== "") break;
  }
  return "bookkeeping" as const;
}

/** Does so many rounds and says where their time went. */
export async function whereIn(rounds: number, run: () => Promise<void>): Promise<Where> {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 100 });
  session.post("Profiler.start");
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  const profile = await new Promise<Profiler.Profile>((resolve, reject) => {
    session.post("Profiler.stop", (error, answer) => (error === null ? resolve(answer.profile) : reject(error)));
  });
  session.disconnect();
  return { of: sumsOf(profile, rounds), user: user / 1000 / rounds, system: system / 1000 / rounds };
}

function sumsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, rounds: number): Record<Part, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const of = Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>;
  samples.forEach((id, k) => {
    const part = partOf(byId.get(id), callers);
    if (part !== undefined) of[part] += timeDeltas[k] / 1000 / rounds;
  });
  return of;
}

const microseconds = (ms: number) => `${(1000 * ms).toFixed(0)} us`;

/** Two lines: parts that matter, and processor time with how many peers share the process. */
export function whereText({ of, user, system }: Where, peers: number): string {
  const all = parts.reduce((sum, part) => sum + of[part], 0);
  const shown = parts.filter((part) => of[part] > 0.005 * all).sort((a, b) => of[b] - of[a]);
  const line = shown.map((part) => `${part} ${microseconds(of[part])} (${((100 * of[part]) / all).toFixed(0)}%)`);
  const [own, kernel] = [microseconds(user / peers), microseconds(system / peers)];
  return `  where: ${line.join(", ")}\n  processor time of a peer in a round: ${own}, and ${kernel} in the system`;
}
