/** Reports in pieces, and the events that are believed of a seat. */

import { describe, expect, it } from "vitest";
import type { PeerSummary } from "../../../equitopo/src/peer/course/options.ts";
import { encodeEvent, type PeerEvent } from "../../../equitopo/src/peer/report/event.ts";
import { expandSpec, parseSpec } from "../../../equitopo/src/run/spec.ts";
import { requireFewLinks } from "../../src/room/limits.ts";
import { piecesOf, readReport, reportJoiner, reportLengthFor, reportSender } from "../../src/room/report.ts";

const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };
const round: PeerEvent = { kind: "round", rank: 2, run: 0, round: 5, partners: [1], bytes: 10, lag: -1 };
const record: PeerEvent = {
  ...{ kind: "record", rank: 2, run: 0, updates: 5, x: new Float64Array(50_000), faults },
  ...{ bytes: 1, messages: 1, seconds: 0.5 },
};
const exchanges = { planned: 5, done: 5, void: 0 };
const start = { from: "anew", id: "", run: 0, round: 0, absent: [] } as const;
const summary = { done: 5, skipped: 0, exchanges, neverHeard: [], start };
const end: PeerEvent = { kind: "end", rank: 2, summary };

describe("a report", () => {
  it("is put together from its pieces", () => {
    const reports = reportJoiner(reportLengthFor(50_000));
    const text = encodeEvent(record);
    const pieces = [...piecesOf(text)];
    expect(pieces.length).toBeGreaterThan(10);
    const whole = pieces.map((piece) => reports.add(3, piece));
    expect(whole.slice(0, -1).every((part) => part === undefined)).toBe(true);
    expect(whole.at(-1)).toBe(text);
  });

  it.each([round, record, end])("is believed of its own seat: $kind", (event) => {
    const text = encodeEvent(event);
    expect(readReport(text, 2, 1)?.kind).toBe(event.kind);
    expect(readReport(text, 1, 1)).toBeUndefined();
  });

  it.each([
    "",
    "{}",
    "null",
    '{"version":99,"kind":"end","rank":2}',
    encodeEvent({ ...round, run: 1 }),
    encodeEvent({ ...round, round: 0.5 }),
    encodeEvent({ ...round, partners: ["a"] as unknown as number[] }),
    encodeEvent({ ...record, x: [1, 2] as unknown as Float64Array }),
    encodeEvent({ ...record, seconds: -1 }),
    encodeEvent({ ...record, faults: { ...faults, missed: "many" as unknown as number } }),
    encodeEvent({ ...record, faults: { ...faults, missed: -1 } }),
    encodeEvent({ ...record, faults: {} as typeof faults }),
    encodeEvent({ ...record, between: "many" as unknown as number }),
    encodeEvent({ ...end, summary: { ...summary, exchanges: { planned: 5, done: -1e9, void: 0 } } }),
    encodeEvent({ ...end, summary: 7 as unknown as PeerSummary }),
    encodeEvent({ ...end, summary: { ...summary, neverHeard: "all" as unknown as number[] } }),
    encodeEvent({ ...end, kind: "dance" } as unknown as PeerEvent),
  ])("is not believed: %s", (text) => {
    expect(readReport(text, 2, 1)).toBeUndefined();
  });
});

describe("links of a browser's seat", () => {
  const runs = (topology: { name: string; n: number; m?: number }, rounds = 400) =>
    expandSpec(
      parseSpec({
        ...{ topologies: [topology], problem: { name: "least-squares", K: 2, d: 2 }, rounds },
        algorithms: [{ name: "dsgd", learningRate: 0.01 }],
      }),
    );

  it("are counted before the first round, and too many are refused with the remedy", () => {
    expect(() => requireFewLinks(runs({ name: "od-equidyn", n: 500 }))).toThrow(
      /at most 256 links.*got "\d{3} \(od-equidyn, n = 500\)"; .*m: 16/,
    );
    requireFewLinks(runs({ name: "od-equidyn", n: 500, m: 16 }, 50));
    requireFewLinks(runs({ name: "ring", n: 500 }));
    requireFewLinks(runs({ name: "complete", n: 257 }));
    expect(() => requireFewLinks(runs({ name: "ring", n: 20 }), 5)).toThrow(/at most 5 links/);
  });
});

describe("a member whose server stands still", () => {
  const sending = (backlog: { bytes: number }) => {
    const sent: string[] = [];
    const line = {
      open: true,
      get backlog() {
        return backlog.bytes;
      },
      send(message: { text: string }) {
        sent.push(message.text);
        backlog.bytes += message.text.length;
        return true;
      },
    };
    return { sent, sender: reportSender(line as unknown as Parameters<typeof reportSender>[0]) };
  };

  it("keeps little for it, and its last words", async () => {
    const backlog = { bytes: 0 };
    const { sent, sender } = sending(backlog);
    for (let updates = 0; updates < 200; updates++) sender.send({ ...(record as object), updates } as PeerEvent);
    // Each of them is half a megabyte: one or two are on the line, and no more than four megabytes wait.
    expect(sent.join("").length).toBeLessThan(2 * 1024 * 1024);
    sender.send(end);
    backlog.bytes = 0;
    const drained = setInterval(() => {
      backlog.bytes = 0;
    }, 5);
    await sender.left(() => false);
    clearInterval(drained);
    const kinds = sent
      .join("")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(kinds.length).toBeLessThan(12);
    expect(kinds.slice(-2).map(({ kind, updates }) => [kind, updates])).toEqual([
      ["record", 199],
      ["end", undefined],
    ]);
  });
});
