/** The checker finds what it is for: histories that fit are changed in one place, and that place is named. */

import { describe, expect, it } from "vitest";
import { checkHistories } from "../../../src/peer/history/checker.ts";
import type { AmendedLine, ExchangeLine, HistoryLine, MixedLine } from "../../../src/peer/history/history.ts";

type Change = Partial<ExchangeLine>;

/** Two peers with three undirected exchanges of weight 1/2 in which nothing goes wrong; changes by "rank exchange". */
function pair(
  changes: Readonly<Record<string, Change>> = {},
  mixes: Readonly<Record<string, Partial<MixedLine>>> = {},
) {
  return [0, 1].map((rank): HistoryLine[] => [
    { kind: "peer", version: 1, rank, size: 2 },
    ...[0, 1, 2].flatMap((exchange): HistoryLine[] => [
      {
        ...{ kind: "exchange", exchange, partner: 1 - rank, mutual: true, missing: 0, voted: "yes", heard: "yes" },
        ...{ sent: [`${rank}@${exchange}`], received: [`${1 - rank}@${exchange}`], ending: "applied" },
        ...changes[`${rank} ${exchange}`],
      },
      {
        ...{ kind: "mixed", exchange, mutual: true, self: 0.5, used: [[1 - rank, 0.5]] },
        ...mixes[`${rank} ${exchange}`],
      },
    ]),
    { kind: "end" },
  ]);
}

const rulesOf = (histories: readonly (readonly HistoryLine[])[]) =>
  checkHistories(histories).violations.map(({ rule, exchange }) => `${rule} ${exchange}`);

const voided: Change = { ending: "void", received: [] };
const alone = { self: 1, used: [] };
const mended: AmendedLine = { kind: "amended", exchange: 1, partner: 0, to: "mended", received: ["0@1"] };
/** Peer 1's history with something after its last mixed line. */
const with1 = (histories: HistoryLine[][], ...more: HistoryLine[]) => [
  histories[0],
  [...histories[1].slice(0, -1), ...more, { kind: "end" } as const],
];

describe("the checker", () => {
  it("has nothing to say of histories that fit", () => {
    const { violations, counts } = checkHistories(pair());
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ peers: 2, lives: 2, killed: 0, applied: 6, vectors: 6, window: 0, shifted: 0 });
  });

  it("finds a vector of another round, one that changed on the way, one that nobody sent", () => {
    expect(rulesOf(pair({ "0 2": { received: ["1@1"] } }))).toEqual(["round 2"]);
    expect(rulesOf(pair({ "0 2": { received: ["other"] } }))).toEqual(["changed 2"]);
    expect(rulesOf(pair({ "1 2": { sent: [] } }))).toEqual(["unsent 2"]);
  });

  it("finds an exchange that is applied twice, or after a later one", () => {
    const [first, second] = pair();
    const exchanges = first.filter((line) => line.kind === "exchange");
    expect(rulesOf([[...first.slice(0, -1), exchanges[2], { kind: "end" }], second])).toEqual(["order 2"]);
    expect(rulesOf([[...first.slice(0, -1), { ...exchanges[0], partner: 5 }, { kind: "end" }], second])).toContain(
      "order 0",
    );
  });

  it("counts a lost vote, and refuses every other one-sided exchange", () => {
    const lost = checkHistories(pair({ "1 1": { ...voided, heard: null } }, { "1 1": alone }));
    expect(lost.violations).toEqual([]);
    expect(lost.counts.window).toBe(1);
    const others: Change[] = [
      { ...voided, voted: "no", heard: null, missing: 1 },
      { ...voided, heard: "yes" },
      { ...voided, heard: "no" },
      { ...voided, voted: null, heard: null },
      { ...voided, heard: null, missing: 1 },
    ];
    for (const change of others) {
      expect(rulesOf(pair({ "1 1": change }, { "1 1": alone }))).toEqual(["one-sided 1", "sum 1"]);
    }
  });

  it("takes an exchange that is mended for one that both applied, once", () => {
    const histories = with1(pair({ "1 1": { ...voided, heard: null } }, { "1 1": alone }), mended);
    const { violations, counts } = checkHistories(histories);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ window: 0, mended: 1 });
    expect(rulesOf(with1(pair({ "1 1": { ...voided, heard: null } }, { "1 1": alone }), mended, mended))).toEqual([
      "order 1",
    ]);
    const both = { ...voided, heard: null };
    const onlyMended = with1(pair({ "1 1": both, "0 1": both }, { "1 1": alone, "0 1": alone }), mended);
    // Peer 0 did not apply it, and its own vote was not lost: it heard nothing either.
    expect(checkHistories(onlyMended).counts.window).toBe(1);
  });

  it("excuses what a killed peer did not live to write down, and nothing of a later life", () => {
    const [first, second] = pair();
    const killed = second.filter((line) => line.kind !== "end" && !("exchange" in line && line.exchange > 0));
    const { violations, counts } = checkHistories([
      first.filter((line) => !("exchange" in line && line.exchange > 1)),
      killed,
    ]);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ killed: 1, cutOff: 1, unwitnessed: 1 });
    expect(rulesOf([first, [...killed, { kind: "end" }]])).toContain("one-sided 1");
  });

  it("knows a peer that was killed in an exchange and did it again, but not what came after", () => {
    const [first, second] = pair({ "1 1": { ...voided, voted: "no", heard: null, sent: ["again"] } }, { "1 1": alone });
    const born: HistoryLine = { kind: "peer", version: 1, rank: 1, size: 2 };
    // Its first life ends after exchange 0; the second begins with exchange 1.
    const again = [...second.slice(0, 3), born, ...second.slice(3)];
    const { violations, counts } = checkHistories([first, again]);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ lives: 3, killed: 1, cutOff: 1, unwitnessed: 1 });
    const later = first.map((line) =>
      line.kind === "exchange" && line.exchange === 2 ? { ...line, received: ["other"] } : line,
    );
    expect(rulesOf([later, again])).toEqual(["changed 2"]);
  });

  it("finds votes that do not carry, columns that do not sum to 1, and another spec", () => {
    expect(rulesOf(pair({ "0 1": { heard: null } }))).toEqual(["votes 1"]);
    expect(rulesOf(pair({}, { "0 1": { self: 0.6 } }))).toEqual(["sum 1"]);
    const [first, second] = pair();
    expect(rulesOf([first, second.with(0, { kind: "peer", version: 1, rank: 1, size: 2, spec: "b" })])).toEqual([
      "spec 0",
    ]);
  });

  it("counts shifts of the mean in directed rounds, and refuses one without a missed vector", () => {
    const directed = { mutual: false };
    const all = Object.fromEntries(["0 0", "0 1", "0 2", "1 0", "1 1", "1 2"].map((key) => [key, directed]));
    const lossy = pair(
      { ...all, "1 1": { mutual: false, ending: "missed", received: [] } },
      {
        ...all,
        "1 1": { ...alone, ...directed },
      },
    );
    expect(checkHistories(lossy).violations).toEqual([]);
    expect(checkHistories(lossy).counts.shifted).toBe(2);
    expect(rulesOf(pair(all, { ...all, "1 1": { ...alone, ...directed } }))).toEqual(["sum 1"]);
  });

  it("holds the sums of rows at both ends against each other where nothing but mixing happened", () => {
    const rows = (x: number, y: number): HistoryLine[] => [
      { kind: "row", run: 0, updates: 0, x: [x] },
      { kind: "row", run: 0, updates: 3, x: [y] },
    ];
    const [first, second] = pair();
    const ends = [
      [...first, ...rows(1, 2)],
      [...second, ...rows(3, 2)],
    ];
    const off = [
      [...first, ...rows(1, 2)],
      [...second, ...rows(3, 2.5)],
    ];
    expect(checkHistories(ends, { averaging: true }).violations).toEqual([]);
    expect(checkHistories(off, { averaging: true }).violations).toHaveLength(1);
    expect(checkHistories(off).violations).toEqual([]);
  });
});
