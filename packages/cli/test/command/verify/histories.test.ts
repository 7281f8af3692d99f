/** Histories by command: accepted, or refused with what is wrong. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { equitopo, json, scratch, spawned } from "../../command.ts";

const folder = scratch();

/** Two peers that exchange once, as their files; peer 1 applied it too, unless its vote was lost. */
function write(path: string, second: object): void {
  const line = (rank: number) => ({
    ...{
      kind: "exchange",
      exchange: 0,
      partner: 1 - rank,
      mutual: true,
      sent: [`v${rank}`],
      received: [`v${1 - rank}`],
    },
    ...{ missing: 0, voted: "yes", heard: "yes", ending: "applied" },
  });
  [line(0), { ...line(1), ...second }].forEach((told, rank) => {
    const lines = [{ kind: "peer", version: 1, rank, size: 2 }, told, { kind: "end" }];
    writeFileSync(join(path, `peer-${rank}.ndjson`), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
  });
}

describe("verify --history", () => {
  it("accepts, and counts a lost vote", async () => {
    const path = scratch();
    write(path, { ending: "void", received: [], heard: null });
    const { status, stdout } = await equitopo(`verify --history ${path}`);
    expect([status, stdout.split("\n")[0]]).toEqual([
      0,
      "accepted: 2 peers, 2 lives, 0 of them not ended in good order",
    ]);
    expect(stdout).toMatch(/ 1 {2}applied by one side only, for one dropped vote/);
    expect(await json(`verify --history ${path}`)).toMatchObject({ accepted: true, counts: { window: 1 } });
  });

  it("refuses with exit code 1, and says what is wrong", async () => {
    const path = scratch();
    write(path, { received: ["other"] });
    const { status, stdout } = await equitopo(`verify --history ${path}`);
    expect(status).toBe(1);
    expect(stdout).toContain("changed: exchange 0, peers 1, 0: vector 0 of peer 0 is not what was sent");
  });

  it("ends with exit code 2 where there is nothing to check", async () => {
    const none = await equitopo(`verify --history ${join(folder, "nowhere")}`);
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("ENOENT")]);
    expect((await equitopo(`verify --history ${scratch()}`)).status).toBe(2);
    expect((await equitopo("verify")).status).toBe(2);
    const path = scratch();
    writeFileSync(join(path, "peer-0.ndjson"), "a\nb\n");
    expect((await equitopo(`verify --history ${path}`)).stderr).toContain("line 1");
  });
});

describe("--history with groups", () => {
  it("by threads: accepted; refused once a member says that it took another mean", async () => {
    const spec = join(folder, "groups.json");
    const document = {
      ...{ topologies: [{ name: "ring", n: 4 }], algorithms: [{ name: "dsgd", learningRate: 0.01 }] },
      ...{ problem: { name: "least-squares" }, rounds: 4, hierarchy: { groups: [2, 2] } },
    };
    writeFileSync(spec, JSON.stringify(document));
    const kept = join(folder, "kept");
    const { status, stderr } = spawned(`run ${spec} --transport threads --history ${kept} --out ${folder}/out`);
    expect(status, stderr).toBe(0);
    expect(await json(`verify --history ${kept}`)).toMatchObject({ accepted: true, violations: [] });
    const file = join(kept, "peer-1.ndjson");
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"step":2,"self":0,');
    writeFileSync(file, text.replace('"step":2,"self":0,', '"step":2,"self":0.5,'));
    const { stdout } = await equitopo(`verify --history ${kept}`);
    expect(stdout).toMatch(/^refused: .*\n {2}sum: exchange/);
  });
});

describe("--history --spec", () => {
  it("asynchronous peers, done again; refused once an end row is changed", async () => {
    const spec = join(folder, "async.json");
    const document = {
      ...{ topologies: [{ name: "od-equidyn", n: 3 }], algorithms: [{ name: "dsgd", learningRate: 0.01 }] },
      ...{ problem: { name: "least-squares", d: 2, K: 4 }, rounds: 10, mode: "async" },
    };
    writeFileSync(spec, JSON.stringify(document));
    const kept = join(folder, "async");
    const { status, stderr } = spawned(`run ${spec} --transport threads --history ${kept} --out ${folder}/out-async`);
    expect(status, stderr).toBe(0);
    const command = `verify --history ${kept} --spec ${spec}`;
    const [replayed] = (await json(command)).replayed;
    const { runs } = JSON.parse(readFileSync(join(folder, "out-async", "result.json"), "utf8"));
    expect(replayed.stateHash).toBe(runs[0].stateHash);
    const file = join(kept, "peer-1.ndjson");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/("updates":10,"x":\[)[^,]*/, "$10.5"));
    const changed = await equitopo(command);
    expect([changed.status, changed.stdout]).toEqual([1, expect.stringContaining("the last row of peer 1 must be")]);
    expect(JSON.parse((await equitopo(`${command} --json`)).stdout)).toMatchObject({ accepted: false, violations: [] });
  });
});
