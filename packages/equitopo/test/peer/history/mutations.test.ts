/**
 * False histories: true ones of every kind of round are accepted, and changed in any of these ways they are refused. The
 * limits at the end are what checker.ts says that no comparison of files can show; they are at most six.
 */

import { beforeAll, describe, expect, it } from "vitest";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { checkHistories } from "../../../src/peer/history/checker.ts";
import {
  type AmendedLine,
  decodeHistory,
  type ExchangeLine,
  encodeLine,
  type HistoryLine,
  type MixedLine,
  type PeerLine,
} from "../../../src/peer/history/history.ts";
import { Mixing } from "../../../src/peer/mixing/mixing.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Rows } from "../../../src/round/round.ts";
import { expandSpec, type SpecDocument } from "../../../src/run/spec.ts";
import { ring } from "../../../src/topology/ring.ts";

type Files = readonly (readonly HistoryLine[])[];
type Change = (files: Files) => Files;

const [n, timeout] = [4, 200];

async function written(document: Partial<SpecDocument>): Promise<HistoryLine[][]> {
  const network = new MemoryNetwork(n);
  const runs = expandSpec({
    ...{ topologies: [{ name: "ou-equidyn", n, seed: 2 }], algorithms: [{ name: "dsgd", learningRate: 0.01 }] },
    ...{ problem: { name: "least-squares", d: 2, K: 4 }, rounds: 8, ...document },
  });
  const files: HistoryLine[][] = Array.from({ length: n }, () => []);
  const peers = files.map((_, rank) => network.join(rank, { timeout }));
  await Promise.all(
    files.map((kept, rank) =>
      runSpecPeer({ transport: peers[rank], runs, timeout, history: (line) => void kept.push(line) }),
    ),
  );
  // As they come out of files.
  return files.map((lines) => decodeHistory(lines.map(encodeLine).join("")));
}

/** One yes comes after its deadline. */
class LateVote extends MemoryNetwork {
  override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
    const late = letter.kind === "yes" && from === 1 && to === 2 && letter.round === 2;
    if (late) this.after(1.15 * timeout, () => super.carry(from, to, letter));
    else super.carry(from, to, letter);
  }
}

/** Rounds on a ring with pauses between them, in which a late vote comes. */
async function mendedFiles(): Promise<HistoryLine[][]> {
  const network = new LateVote(n, { delay: [1, 2] });
  const peers = Array.from({ length: n }, (_, rank) => network.join(rank, { timeout }));
  return Promise.all(
    peers.map(async (transport, rank) => {
      const kept: HistoryLine[] = [{ kind: "peer", version: 1, rank, size: n }];
      transport.history = (line) => void kept.push(line);
      const mixing = new Mixing({ transport, topology: ring({ n }) });
      let vectors: Rows[] = [Float64Array.of(rank)];
      for (let t = 0; t < 6; t++) {
        vectors = await mixing.finish(mixing.start({ vectors }, { round: t, exchange: t }));
        await network.sleep(1.5 * timeout);
      }
      return [...kept, { kind: "end" }];
    }),
  );
}

const rules = (files: Files) => checkHistories(files).violations;

/** The lines as a file would give them back: what is no history any more is refused there. */
const isRefused = (files: Files) => {
  try {
    return rules(files.map((lines) => decodeHistory(lines.map(encodeLine).join("")))).length > 0;
  } catch {
    return true;
  }
};

/** Changes the k-th line of a peer that is of this kind and holds the condition, and must find one. */
function edit<K extends HistoryLine["kind"]>(
  rank: number,
  kind: K,
  change: (line: Extract<HistoryLine, { kind: K }>) => object | readonly object[],
  holds: (line: Extract<HistoryLine, { kind: K }>) => boolean = () => true,
  k = 0,
): Change {
  return (files) => {
    let left = k;
    let found = false;
    const lines = files[rank].flatMap((line) => {
      if (line.kind !== kind || !holds(line as never) || left-- !== 0) return [line];
      found = true;
      return [change(line as never)].flat() as HistoryLine[];
    });
    if (!found) throw new Error(`no such line of peer ${rank}: ${kind}`);
    return files.with(rank, lines);
  };
}

const all =
  (...changes: readonly Change[]): Change =>
  (files) =>
    changes.reduce((changed, change) => change(changed), files);

const keep =
  (holds: (line: HistoryLine) => boolean): Change =>
  (files) =>
    files.map((lines) => lines.filter(holds));

/** An exchange of the middle that peer 1 made in order to mix, and its partner in it. */
const middle = (files: Files, rank = 1): ExchangeLine => {
  const found = files[rank].filter(
    (line): line is ExchangeLine => line.kind === "exchange" && line.mixes === true && line.ending === "applied",
  );
  return found[Math.floor(found.length / 2)];
};
const isOf =
  ({ exchange, partner }: Pick<ExchangeLine, "exchange" | "partner">) =>
  (line: ExchangeLine) =>
    line.exchange === exchange && line.partner === partner;
const atExchange =
  (exchange: number) =>
  (line: { readonly exchange: number }): boolean =>
    line.exchange === exchange;

/** The line of that exchange changed so. */
const exchanged =
  (change: (line: ExchangeLine) => object | readonly object[]): Change =>
  (files) =>
    edit(1, "exchange", change, isOf(middle(files)))(files);
/** What it sent then, in directed rounds to another peer. */
const sent =
  (change: (line: ExchangeLine) => object): Change =>
  (files) => {
    const { exchange } = middle(files);
    return edit(1, "exchange", change, (line) => line.exchange === exchange && line.sent.length > 0)(files);
  };
/** Its row of W changed so. */
const mixed =
  (change: (line: MixedLine) => object | readonly object[]): Change =>
  (files) =>
    edit(1, "mixed", change, atExchange(middle(files).exchange))(files);
/** Both sides of that pair changed so. */
const onBoth =
  (change: (rank: number, partner: number, exchange: number) => Change): Change =>
  (files) => {
    const { exchange, partner } = middle(files);
    return all(change(1, partner, exchange), change(partner, 1, exchange))(files);
  };
const other = (hash: string) => `${hash.slice(1)}${hash[0] === "0" ? 1 : 0}`;
const halved =
  (share: number): Change =>
  (files) =>
    files.with(1, files[1].slice(0, Math.floor(files[1].length * share)));
const lives = (lines: readonly HistoryLine[]) => lines.filter((line): line is PeerLine => line.kind === "peer");

/** Changes of histories of undirected rounds, and of any rounds. */
const anywhere: Readonly<Record<string, Change>> = {
  "a hash that was used": exchanged((line) => ({ ...line, received: line.received.map(other) })),
  "a hash that was sent": sent((line) => ({ ...line, sent: line.sent.map(other) })),
  "a vector too many sent": sent((line) => ({ ...line, sent: [...line.sent, "more"] })),
  "a vector too many used": exchanged((line) => ({ ...line, received: [...line.received, "more"] })),
  "no vector used of what was applied": exchanged((line) => ({ ...line, received: [] })),
  "no vector sent of what was used": sent((line) => ({ ...line, sent: [] })),
  "what was sent and used swapped": exchanged((line) => ({ ...line, sent: line.received, received: line.sent })),
  "a vector of another exchange": (files) => {
    const { exchange } = middle(files);
    const earlier = files[1].filter((line) => line.kind === "exchange" && line.exchange < exchange) as ExchangeLine[];
    const { received } = earlier.findLast((line) => line.received.length > 0) as ExchangeLine;
    return exchanged((line) => ({ ...line, received }))(files);
  },
  "another partner": exchanged((line) => ({
    ...line,
    partner: (line.partner + 1) % n === 1 ? 2 : (line.partner + 1) % n,
  })),
  "itself as partner": exchanged((line) => ({ ...line, partner: 1 })),
  "a partner beyond the network": exchanged((line) => ({ ...line, partner: n + 3 })),
  "a later exchange": exchanged((line) => ({ ...line, exchange: line.exchange + 1 })),
  "an earlier exchange": exchanged((line) => ({ ...line, exchange: line.exchange - 1 })),
  "missing vectors where it was applied": exchanged((line) => ({ ...line, missing: 1 })),
  "applied made missed, its vectors kept": exchanged((line) => ({ ...line, ending: "missed" })),
  "applied made void, its vectors kept": exchanged((line) => ({ ...line, ending: "void" })),
  "applied made missed, yet mixed": exchanged((line) => ({ ...line, ending: "missed", received: [], missing: 1 })),
  "applied made void, yet mixed": exchanged((line) => ({ ...line, ending: "void", received: [] })),
  "applied made sent, yet mixed": exchanged((line) => ({ ...line, ending: "sent", received: [] })),
  "applied made aborted, yet mixed": exchanged((line) => ({ ...line, ending: "aborted", received: [] })),
  "an ending without a name": exchanged((line) => ({ ...line, ending: "done" })),
  "a line left out": exchanged(() => []),
  "a line twice": exchanged((line) => [line, line]),
  "a line twice, with other vectors": exchanged((line) => [line, { ...line, received: ["another"] }]),
  "a line without a field": exchanged(({ received: _, ...line }) => line),
  "mixed without its exchange": exchanged(() => []),
  "a pair mixed that neither exchanged": onBoth((rank, partner, exchange) =>
    edit(rank, "exchange", () => [], isOf({ exchange, partner })),
  ),
  "a pair mixed that both missed": onBoth((rank, partner, exchange) =>
    edit(
      rank,
      "exchange",
      (line) => ({
        ...line,
        ending: line.mutual ? "void" : "missed",
        received: [],
        voted: null,
        heard: null,
        missing: 1,
      }),
      isOf({ exchange, partner }),
    ),
  ),
  "applied by both and mixed by neither": onBoth((rank, _, exchange) =>
    edit(rank, "mixed", (line) => ({ ...line, self: 1, used: [] }), atExchange(exchange)),
  ),
  "a row of W with another own weight": mixed((line) => ({ ...line, self: line.self + 0.01 })),
  "a row of W with another weight": mixed((line) => ({
    ...line,
    used: line.used.map(([node, w]) => [node, w * 1.01]),
  })),
  "a row of W with one weight moved home": mixed((line) => ({
    ...line,
    self: 1,
    used: line.used.map(([node]) => [node, 0]),
  })),
  "weights that are no numbers": mixed((line) => ({ ...line, used: line.used.map(([node]) => [node, null]) })),
  "an own weight that is no number": mixed((line) => ({ ...line, self: null })),
  "a negative weight": mixed((line) => ({ ...line, self: 1.5, used: line.used.map(([node]) => [node, -0.5]) })),
  "another node in a row of W": mixed((line) => ({ ...line, used: line.used.map(([node, w]) => [(node + 1) % n, w]) })),
  "a node twice in a row of W": mixed((line) => ({ ...line, used: [...line.used, ...line.used] })),
  "a node with no weight in a row of W": mixed((line) => ({ ...line, used: [...line.used, [1, 0]] })),
  "an empty row of W": mixed((line) => ({ ...line, used: [] })),
  "a row of W twice": mixed((line) => [line, line]),
  "a second row of W with other weights": mixed((line) => [line, { ...line, self: line.self / 2 }]),
  "a row of W left out": mixed(() => []),
  "a row of W of another exchange": mixed((line) => ({ ...line, exchange: line.exchange + 1 })),
  "a row of W before its exchange": (files) => {
    const at = files[1].findIndex((line) => line.kind === "mixed" && line.exchange === middle(files).exchange);
    return files.with(1, files[1].toSpliced(at, 1).toSpliced(at - 2, 0, files[1][at]));
  },
  "a row of W that says it was undirected, or directed": mixed((line) => ({ ...line, mutual: !line.mutual })),
  "a row of W for which a defence decided": mixed((line) => ({ ...line, leaks: true })),
  "a step of a grouped round": mixed((line) => ({ ...line, step: (line.step ?? 0) + 1 })),
  "all rows of W of a peer left out": (files) =>
    files.with(
      1,
      files[1].filter(({ kind }) => kind !== "mixed"),
    ),
  "all rows of W left out": keep(({ kind }) => kind !== "mixed"),
  "all exchanges of a peer left out": (files) =>
    files.with(
      1,
      files[1].filter(({ kind }) => kind !== "exchange"),
    ),
  "all exchanges left out": keep(({ kind }) => kind !== "exchange"),
  "twenty lines left out": (files) => files.with(1, files[1].toSpliced(files[1].length >> 1, 20)),
  "two exchanges in the other order": (files) => {
    const at = files[1].indexOf(middle(files));
    const next = files[1].findIndex(
      (line, k) => k > at && line.kind === "exchange" && line.exchange > middle(files).exchange,
    );
    return files.with(1, files[1].with(at, files[1][next]).with(next, files[1][at]));
  },
  "a file cut in the middle": halved(0.5),
  "a file cut after a third": halved(1 / 3),
  "a file cut before the last quarter": halved(3 / 4),
  "a file cut in the middle, with an end": (files) => files.with(1, [...halved(0.5)(files)[1], { kind: "end" }]),
  "an empty file": (files) => files.with(1, []),
  "a file left out": (files) => files.toSpliced(1, 1),
  "a file twice": (files) => [...files, files[1]],
  "a life told twice": (files) => files.with(1, [...files[1], ...files[1]]),
  "a life told twice, killed the first time": (files) => files.with(1, [...files[1].slice(0, -1), ...files[1]]),
  "another peer's file under its name": (files) => files.with(1, files[2].with(0, files[1][0])),
  "two peers' names swapped": (files) =>
    files.with(1, files[1].with(0, files[2][0])).with(2, files[2].with(0, files[1][0])),
  "no first line": (files) => files.with(1, files[1].slice(1)),
  "a rank of nobody": edit(1, "peer", (line) => ({ ...line, rank: n })),
  "another rank": edit(1, "peer", (line) => ({ ...line, rank: 2 })),
  "another size": edit(1, "peer", (line) => ({ ...line, size: n + 1 })),
  "another spec": edit(1, "peer", (line) => ({ ...line, spec: "other" })),
  "another membership epoch": edit(1, "peer", (line) => ({ ...line, epoch: 7 })),
  "another version": edit(1, "peer", (line) => ({ ...line, version: 2 })),
  "an end in the middle": (files) =>
    files.with(1, files[1].toSpliced(files[1].indexOf(middle(files)), 0, { kind: "end" })),
  "an end twice": edit(1, "end", (line) => [line, line]),
  "mended where nothing was void": exchanged((line) => [line, amendment(line, "mended")]),
  "torn, yet mixed": exchanged((line) => [line, { ...amendment(line, "torn"), received: [] }]),
  "an amendment of no exchange": exchanged((line) => [
    line,
    { ...amendment(line, "mended"), exchange: line.exchange + 40 },
  ]),
  "a line of no kind": exchanged((line) => [line, { kind: "note" }]),
  "a line that is a list": exchanged((line) => [line, [[1, 2, 3]] as never]),
};

const amendment = ({ exchange, partner, received }: ExchangeLine, to: "mended" | "torn"): AmendedLine => ({
  ...{ kind: "amended", exchange, partner, to, received },
});

/** Of undirected rounds only: votes. */
const undirected: Readonly<Record<string, Change>> = {
  "applied without a vote heard": exchanged((line) => ({ ...line, heard: null })),
  "applied on a vote of no": exchanged((line) => ({ ...line, heard: "no" })),
  "applied without a vote of its own": exchanged((line) => ({ ...line, voted: null })),
  "applied having voted no": exchanged((line) => ({ ...line, voted: "no" })),
  "directed for one side only": exchanged((line) => ({ ...line, mutual: false })),
  "void for one side, its row of W too": all(
    exchanged((line) => ({ ...line, ending: "void", received: [] })),
    mixed((line) => ({ ...line, self: 1, used: [] })),
  ),
  "void for one side, a vote of no heard that was not given": all(
    exchanged((line) => ({ ...line, ending: "void", received: [], heard: "no" })),
    mixed((line) => ({ ...line, self: 1, used: [] })),
  ),
};

/** Of grouped rounds: the steps inside. */
const ofGroups: Readonly<Record<string, Change>> = {
  "a mean of other weights inside a group": edit(
    0,
    "mixed",
    (line) => ({ ...line, self: 0.7 }),
    ({ step }) => step === 0,
  ),
  "a mean that leaves one member out": edit(
    0,
    "mixed",
    (line) => ({ ...line, self: 1, used: [] }),
    ({ step }) => step === 0,
  ),
  "a result that a member did not take": (files) => {
    const rank = files.findIndex((lines) => lines.some((line) => line.kind === "mixed" && line.step === 2));
    return edit(
      rank,
      "mixed",
      (line) => ({ ...line, self: 1, used: [] }),
      ({ step }) => step === 2,
    )(files);
  },
  "other weights between groups": edit(
    0,
    "mixed",
    (line) => ({ ...line, self: line.self / 2 }),
    ({ step }) => step === 1,
  ),
};

const mendedLine = (files: Files) => files.findIndex((lines) => lines.some(({ kind }) => kind === "amended"));
/** Where a vote came late. */
const ofMended: Readonly<Record<string, Change>> = {
  "mended with other vectors": (files) =>
    edit(mendedLine(files), "amended", (line) => ({ ...line, received: ["other"] }))(files),
  "mended twice": (files) => edit(mendedLine(files), "amended", (line) => [line, line])(files),
  "mended with another partner": (files) =>
    edit(mendedLine(files), "amended", (line) => ({ ...line, partner: (line.partner + 1) % n }))(files),
  "mended in another exchange": (files) =>
    edit(mendedLine(files), "amended", (line) => ({ ...line, exchange: line.exchange - 1 }))(files),
};

/** What the files cannot show, as checker.ts says: these are accepted. */
const limits: Readonly<Record<string, Change>> = {
  "the last line of a life left out, as by a kill": edit(1, "end", () => []),
  "an exchange left out of both files, its rows of W too": onBoth((rank, partner, exchange) =>
    all(
      edit(rank, "exchange", () => [], isOf({ exchange, partner })),
      edit(rank, "mixed", () => [], atExchange(exchange)),
    ),
  ),
  "other weights on both sides": onBoth((rank, _, exchange) =>
    edit(
      rank,
      "mixed",
      (line) => ({ ...line, self: 0.6, used: line.used.map(([node]) => [node, 0.4]) }),
      atExchange(exchange),
    ),
  ),
  "a defence that left both out, as both say": onBoth((rank, partner, exchange) =>
    edit(rank, "mixed", (line) => ({ ...line, self: 1, used: [], without: [partner] }), atExchange(exchange)),
  ),
  "a row at the end of a run that did more than average": edit(
    1,
    "row",
    (line) => ({ ...line, x: [0, 0] }),
    undefined,
    1,
  ),
};

const documents: Readonly<Record<string, Partial<SpecDocument>>> = {
  undirected: {},
  directed: { topologies: [{ name: "od-equidyn", n, seed: 2 }] },
  "with several partners": { topologies: [{ name: "ring", n }] },
  "with several vectors": { algorithms: [{ name: "atc-gt", learningRate: 0.01 }] },
  grouped: { topologies: [{ name: "ring", n }], hierarchy: { groups: [2, 2] } },
  "grouped, of two sizes": { topologies: [{ name: "complete", n }], hierarchy: { groups: [3, 1] } },
  "with a defence": { robust: { kind: "guard", radius: 0.05 }, topologies: [{ name: "complete", n }] },
  "with weights of a defence": { robust: { kind: "clip", radius: 0.01 } },
  "with means of a defence": { robust: { kind: "trim", trim: 1 }, topologies: [{ name: "complete", n }] },
  "row-stochastic": {
    topologies: [{ name: "el-local", n, s: 2 }],
    algorithms: [{ name: "epidemic", learningRate: 0.01 }],
  },
  "of push-sum": { algorithms: [{ name: "push-sum", learningRate: 0.01 }], topologies: [{ name: "od-equidyn", n }] },
  "with messages dropped on purpose": { faults: { drop: 0.3 } },
  "directed, with messages dropped on purpose": { faults: { drop: 0.3 }, topologies: [{ name: "od-equidyn", n }] },
  "of two vectors a node": {
    topologies: [{ name: "ceca-2p", n }],
    algorithms: [{ name: "dsgd-ceca", learningRate: 0.01 }],
  },
  "with exact means": { algorithms: [{ name: "gossip-pga", learningRate: 0.01 }] },
  "with an evaluation": { evaluate: 4, problem: { name: "logistic", d: 2 } },
};

describe("histories of rounds", () => {
  it.each(Object.entries(documents))("%s: accepted", async (_, document) => {
    const files = await written(document as Partial<SpecDocument>);
    expect(rules(files)).toEqual([]);
    expect(lives(files[1])).toHaveLength(1);
  });
});

const bases: Record<string, Files> = {};
beforeAll(async () => {
  for (const name of ["undirected", "directed", "grouped"]) bases[name] = await written(documents[name]);
  bases["mended"] = await mendedFiles();
});

const cases = [
  ...Object.entries(anywhere).flatMap(([name, change]) =>
    ["undirected", "directed"].map((base) => ({ name, change, base })),
  ),
  ...Object.entries(undirected).map(([name, change]) => ({ name, change, base: "undirected" })),
  ...Object.entries(ofGroups).map(([name, change]) => ({ name, change, base: "grouped" })),
  ...Object.entries(ofMended).map(([name, change]) => ({ name, change, base: "mended" })),
];

describe("false histories", () => {
  it("are of at least 60 kinds, and at most 6 more are beyond the files", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
    expect(Object.keys(limits).length).toBeLessThanOrEqual(6);
  });

  it.each(cases)("$base: $name: refused", ({ change, base }) => {
    expect(rules(bases[base])).toEqual([]);
    expect(isRefused(change(bases[base]))).toBe(true);
  });

  it.each(Object.entries(limits))("%s: accepted, as documented", (_, change) => {
    expect(isRefused(change(bases["undirected"]))).toBe(false);
  });
});
