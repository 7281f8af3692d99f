/** `equitopo serve` and `equitopo worker --join`: a room by command, with the simulator's hash at its end. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bin, equitopo, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const file = (name: string, document: object) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
};
const document = {
  topologies: [{ name: "ou-equidyn", n: 3 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  ...{ rounds: 30, every: 10, seeds: [5] },
};
const spec = file("spec.json", document);

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ status: number; stdout: string; stderr: string }>;
  /** What it has said on stderr, once that matches. */
  said(pattern: RegExp): Promise<string>;
}

function start(words: string, input?: string): Started {
  const child = spawn(process.execPath, [bin, ...words.split(" ")], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin?.end(input);
  const text = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    text.stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    text.stderr += chunk;
  });
  const ended = once(child, "close").then(([status]) => ({ status: status as number, ...text }));
  const said = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(text.stderr)?.[0];
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`ended: ${text.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { child, ended, said };
}

describe("serve", () => {
  const simulated = parsed(spawned(`run ${spec} --out ${join(folder, "simulated")} --json`));

  it("fills seats with Node peers, takes others by link, and ends with the simulator's hash", async () => {
    const out = join(folder, "room");
    const room = start(`serve ${spec} --fill 2 --out ${out} --json`);
    const link = (await room.said(/http:\S+/)).trim();
    const peer = start("worker --join - --json", `${link}\n`);
    const [served, worked] = await Promise.all([room.ended, peer.ended]);
    expect([served.status, worked.status], served.stderr + worked.stderr).toEqual([0, 0]);
    const result = JSON.parse(served.stdout);
    expect(result.stateHash).toBe(simulated.stateHash);
    expect(result.runs[0].metrics).toEqual(simulated.runs[0].metrics);
    const told = JSON.parse(worked.stdout);
    expect(told).toMatchObject({ done: 30, skipped: 0, missed: 0, carried: { relay: 0 } });
    expect(Object.values(told.links)).toEqual(["tcp", "tcp"]);
    // The key is in the link and nowhere else.
    const key = /key=(\S+)/.exec(link)?.[1] as string;
    for (const name of readdirSync(out)) {
      if (/\.(json|ndjson|html|csv)$/.test(name)) expect(readFileSync(join(out, name), "utf8")).not.toContain(key);
    }
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain("3 over room");
  });

  it("goes through TLS where it is told to, and then on any address", async () => {
    const cluster = join(folder, "cluster");
    expect((await equitopo(`cluster init 127.0.0.1 --out ${cluster}`)).status).toBe(0);
    const out = join(folder, "tls");
    const two = file("two.json", { ...document, topologies: [{ name: "ring", n: 2 }] });
    const room = start(`serve ${two} --fill 2 --host 127.0.0.1 --tls ${cluster} --out ${out} --json`);
    await room.said(/https:\/\/127\.0\.0\.1:\d+\/join#room=/);
    const { status, stdout, stderr } = await room.ended;
    expect([status, stderr.includes("error")]).toEqual([0, false]);
    expect(JSON.parse(stdout).runs[0].updates).toBe(30);
  });

  it("hands out no seat twice, and says why to who comes too late or with the wrong link", async () => {
    const room = start(`serve ${spec} --out ${join(folder, "late")} --json`);
    const link = (await room.said(/http:\S+/)).trim();
    const wrong = spawned(`worker --join ${link.slice(0, -3)}AAA`);
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/the room must take this peer, .*no such room/),
    ]);
    room.child.kill("SIGTERM");
    expect(await room.ended).toMatchObject({
      status: 143,
      stderr: expect.stringContaining("interrupted before anything began; nothing was written"),
    });
    expect(existsSync(join(folder, "late"))).toBe(false);
    const late = spawned(`worker --join ${link}`);
    expect([late.status, late.stderr]).toEqual([
      2,
      expect.stringMatching(/the room's server must be there .*, got "no answer"; ask its host/),
    ]);
  });

  const images = { name: "classification", data: "mnist" };
  it.each([
    [`serve ${spec} --fill 4`, /--fill is at most the spec's n = 3/],
    [`serve ${spec} --fill -1`, /fill must be an integer/],
    [`serve ${spec} --port 70000`, /port must be an integer from 0 to 65535/],
    [`serve ${spec} --host 10.0.0.5`, /off this machine a room needs TLS/],
    [`serve ${spec} --host 127.0.0.1 --tls ${folder}`, /the host's certificate must be readable \(ENOENT\)/],
    [`serve ${join(folder, "none.json")}`, /must be a file/],
    [
      `serve ${file("many.json", { ...document, topologies: [{ name: "od-equidyn", n: 400 }], rounds: 400 })}`,
      /a browser's seat has at most 256 links.*m: 16/,
    ],
    [`serve ${file("files.json", { ...document, problem: images })}`, /a room has no data files/],
    [
      `serve ${file("sizes.json", { ...document, topologies: [3, 4].map((n) => ({ name: "ring", n })) })}`,
      /share one n/,
    ],
    ["worker --join nonsense", /an invite is a link/],
    ["worker --join http://10.0.0.1/join#room=a", /plain http is for this machine/],
    [`worker ${spec} --join http://127.0.0.1:1/join`, /--join takes the runs and the seat from the room/],
    ["worker --join http://127.0.0.1:1/join --rank 2", /--join takes the runs and the seat/],
    ["worker", /a worker needs the spec/],
  ])("refuses %s", async (words, message) => {
    const before = readdirSync(folder);
    const { status, stderr, stdout } = await equitopo(
      words.startsWith("serve") ? `${words} --out ${folder}/no` : words,
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(join(folder, "no"))).toBe(false);
  });

  it("refuses a spec with a plug-in", async () => {
    const plugin = join(folder, "plugin.mjs");
    writeFileSync(plugin, "export default () => {};\n");
    const { status, stderr } = spawned(`serve ${spec} --plugin ${plugin} --out ${join(folder, "no")}`);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/a room has no plug-ins/)]);
  });
});
