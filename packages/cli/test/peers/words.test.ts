/** What a person is told of peers: whom one waits for, what went wrong, whether it was worth anything. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PeerEvent, PeerSummary } from "equitopo/peer";
import { describe, expect, it } from "vitest";
import { faultKinds } from "../../../equitopo/src/peer/report/fault.ts";
import { faultWords, type LogLevel, logLevels, openFaultLog } from "../../src/peers/fault-log.ts";
import { launchVerdict, peerComplaints } from "../../src/peers/verdict.ts";
import { waitNotes } from "../../src/peers/wait-notes.ts";
import { equitopo, scratch } from "../command.ts";
import { faultsOf, schema } from "./log-schema.ts";

const folder = scratch();
const summary = (planned: number, done: number, neverHeard: number[] = [], absent = neverHeard): PeerSummary => ({
  ...{ done: 30, skipped: 0, exchanges: { planned, done, void: planned - done }, neverHeard },
  start: { from: "anew", id: "0", run: 0, round: 0, absent },
});

describe("one peer", () => {
  it("complains where nobody was met, somebody never took part, or most exchanges were void", () => {
    expect(peerComplaints(summary(30, 30))).toEqual([]);
    expect(peerComplaints(summary(30, 20))).toEqual([]);
    // Alone by the spec.
    expect(peerComplaints(summary(0, 0))).toEqual([]);
    expect(peerComplaints(summary(30, 0, [1, 2]))).toEqual(["met nobody: none of 30 exchanges took place"]);
    expect(peerComplaints(summary(30, 20, [2]))).toEqual(["peer 2 never took part"]);
    expect(peerComplaints(summary(30, 14, [2, 4]))).toEqual([
      "peers 2, 4 never took part",
      "16 of 30 exchanges were void",
    ]);
    // It came to the opening meeting; with few rounds a single lost vector is all there was.
    expect(peerComplaints(summary(30, 29, [2], []))).toEqual([]);
  });
});

describe("the log", () => {
  it("is kept once when it is full, and begins anew", () => {
    const path = join(folder, "rotated.ndjson");
    writeFileSync(path, "x".repeat(2 ** 25));
    const log = openFaultLog(path, () => {});
    const fault = { kind: "fault", rank: 3, run: 0, iteration: 17, what: "missed", count: 1 } as const;
    for (const _ of [1, 2, 3]) log.note(fault);
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(3);
    expect(readFileSync(`${path}.1`, "utf8")).toHaveLength(2 ** 25);
    rmSync(path);
    rmSync(`${path}.1`);
  });
});

describe("a launch", () => {
  const end = (rank: number, planned: number, done: number): PeerEvent => ({
    ...{ kind: "end", rank, summary: summary(planned, done) },
  });

  it("complains of peers that never took part, and of mostly void exchanges", () => {
    const good = launchVerdict(3);
    for (let rank = 0; rank < 3; rank++) good.note(end(rank, 30, 29));
    expect([good.complaints, good.exchanges]).toEqual([[], { planned: 90, done: 87, void: 3 }]);
    const bad = launchVerdict(4);
    bad.note(end(0, 30, 10));
    bad.note(end(1, 30, 0));
    // It died on the way: that is told elsewhere.
    bad.note({ kind: "round", rank: 2, run: 0, round: 3, partners: [0], bytes: 8, lag: 0 });
    expect(bad.complaints).toEqual(["peers 1, 3 never took part", "50 of 60 exchanges were void"]);
    expect(launchVerdict(3).complaints).toEqual([]);
    const void2 = launchVerdict(2);
    for (const rank of [0, 1]) void2.note(end(rank, 30, 0));
    expect(void2.complaints).toEqual(["60 of 60 exchanges were void"]);
  });
});

describe("a log of faults", () => {
  const time = new Date(Date.UTC(2026, 0, 31, 12));
  const fault: PeerEvent = {
    ...{ kind: "fault", rank: 3, what: "missed", run: 0, iteration: 17, count: 1, partners: [5] },
  };

  it("is one JSON object a line, appended", () => {
    const path = join(folder, "faults.ndjson");
    openFaultLog(path, expect.fail, "info", () => time).note(fault);
    const again = openFaultLog(path, expect.fail, "info", () => time);
    again.note({ kind: "round", rank: 3, run: 0, round: 18, partners: [5], bytes: 8, lag: 0 });
    again.note({ kind: "end", rank: 3, summary: summary(30, 29) });
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const stamp = { version: 1, time: "2026-01-31T12:00:00.000Z", level: "info", peer: 3 };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...stamp, what: "missed", run: 0, iteration: 17, count: 1, partners: [5] },
      { ...stamp, what: "end", ...summary(30, 29) },
    ]);
  });

  it("has lines of the schema in docs/formats.md, which names every kind and level", () => {
    const path = join(folder, "schema.ndjson");
    const log = openFaultLog(path, expect.fail, "debug", () => time);
    for (const what of faultKinds) log.note({ ...fault, what, reason: "spec", source: "peer 5", remedy: "wait" });
    log.note({ kind: "end", rank: 3, summary: summary(30, 29) });
    const lines = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(faultKinds.length + 1);
    expect(lines.flatMap((line) => faultsOf(line))).toEqual([]);
    expect(schema.properties?.["what"]?.enum).toEqual([...faultKinds, "end"]);
    expect(schema.properties?.["level"]?.enum).toEqual(logLevels);
    expect(faultsOf({ ...lines[0], what: "lost", iteration: "3" })).toHaveLength(2);
  });

  it("and words leave out what is less grave than the level", () => {
    const told = (least: LogLevel) => {
      const path = join(folder, `${least}.ndjson`);
      const log = openFaultLog(path, expect.fail, least, () => time);
      const events = faultKinds.map((what): PeerEvent => ({ ...fault, what, reason: "the disk is full" }));
      for (const event of events) log.note(event);
      const lines = readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "");
      const words = events.flatMap((event) => faultWords(event, least) ?? []);
      return { kinds: lines.map((line) => JSON.parse(line).what as string), words };
    };
    expect(told("error")).toEqual({ kinds: ["trouble"], words: ["peer 3: the disk is full"] });
    expect(told("warn")).toEqual({
      kinds: ["refused", "trouble", "gone", "back", "rejoined"],
      words: [
        "peer 3: the disk is full",
        "peer 3: peer 5 is gone, in round 17",
        "peer 3: peer 5 is back at round 17",
        "peer 3: peer 5 rejoined at round 17",
      ],
    });
    expect(told("info").kinds).toEqual(faultKinds.filter((what) => what !== "late" && what !== "unsent"));
    expect(told("debug").kinds).toEqual([...faultKinds]);
  });

  it("that cannot be written is refused at the start, and told of once later", () => {
    expect(() => openFaultLog(join(folder, "no", "such"), expect.fail)).toThrow(/can be written \(ENOENT\)/);
    const inside = join(folder, "inside");
    mkdirSync(inside);
    const said: string[] = [];
    const path = join(inside, "log");
    const log = openFaultLog(path, (text) => said.push(text));
    // Its folder is taken away.
    rmSync(inside, { recursive: true });
    log.note(fault);
    log.note(fault);
    expect(said).toEqual([expect.stringContaining("not written (ENOENT)")]);
  });
});

describe("a peer that waits", () => {
  it("says for whom after a few seconds, and then ever more rarely", () => {
    let time = 0;
    const said: string[] = [];
    const nameOf = (peer: number) => `peer ${peer} at node-${peer}:7117`;
    const wait = waitNotes(
      { rank: 0, nameOf, limit: 600_000 },
      (text) => said.push(text),
      () => time,
    );
    for (; time <= 100_000; time += 1000) wait(2);
    expect(said).toHaveLength(5);
    expect(said[0]).toBe("peer 0 waits for peer 2 at node-2:7117: 3 s so far, 600 s at most");
    expect(said[4]).toContain("93 s so far");
  });
});

describe("a worker that meets nobody", () => {
  const spec = join(folder, "spec.json");
  writeFileSync(
    spec,
    JSON.stringify({
      topologies: [{ name: "ring", n: 3 }],
      algorithms: [{ name: "dsgd", learningRate: 0.01 }],
      problem: { name: "least-squares", K: 10 },
      ...{ rounds: 4, every: 4, seeds: [5] },
    }),
  );
  const hosts = join(folder, "hosts.txt");
  const port = 26_000 + (process.pid % 5000);
  writeFileSync(hosts, [0, 1, 2].map((k) => `127.0.0.1:${port + k}\n`).join(""));
  const words = `worker ${spec} --rank 0 --hosts ${hosts} --timeout 30 --start-timeout 200`;

  it("says so, and ends with exit code 1", async () => {
    const { status, stderr, stdout } = await equitopo(`${words} --json`);
    expect(status).toBe(1);
    expect(stderr).toContain(`met nobody within --start-timeout: no word from peer 1 at 127.0.0.1:${port + 1}`);
    expect(JSON.parse(stdout).complaints).toHaveLength(1);
  });

  it("trains alone where that is all right, and logs what it missed", async () => {
    const log = join(folder, "alone-%r.ndjson");
    const { status, stderr, stdout } = await equitopo(`${words} --alone-ok --log ${log}`);
    expect(status).toBe(0);
    expect(stderr).toContain("met nobody: none of 8 exchanges took place");
    expect(stdout).toMatch(/0 of 8 exchanges took place; \d+ messages missed, 8 exchanges void/);
    const lines = readFileSync(log.replace("%r", "0"), "utf8").trim().split("\n");
    const told = lines.map((line) => JSON.parse(line));
    expect(told.filter(({ what }) => what === "missed").map(({ partners }) => partners)).toContainEqual([2, 1]);
    expect(told.at(-1)).toMatchObject({ what: "end", peer: 0, exchanges: { planned: 8, done: 0 } });
  });
});
