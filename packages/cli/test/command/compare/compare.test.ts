/** `compare`: predicted against measured, and bytes counted from what nodes send. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { customGraph, ouEquiDyn, topologies as registry, ring } from "equitopo";
import { describe, expect, it } from "vitest";
import { measureGossip, mostMessages } from "../../../src/command/compare/measure.ts";
import { equitopo, json, scratch } from "../../command.ts";
import { all, byClass, parseXml, words } from "../../xml.ts";

interface Row {
  readonly topology: string;
  readonly degree: number;
  readonly predicted: { rounds: number; bytes: number } | null;
  readonly measured: { rounds: number; bytes: number } | null;
}

describe("compare --json", () => {
  it("measures no more rounds than a static or periodic rate promises, and lists what refuses n", async () => {
    const { n, topologies, refused, tolerance, dim, bytesPerNumber } = await json("compare --n 20");
    expect({ n, tolerance, dim, bytesPerNumber }).toEqual({ n: 20, tolerance: 1e-6, dim: 1000, bytesPerNumber: 8 });
    expect(refused).toContainEqual({ topology: "hypercube", reason: "needs a power of 2" });
    // The paper's, its baselines, and the rivals that families feature.
    const shown = registry.filter(({ group, featured }) => group !== "rival" || featured === true);
    const names = [...topologies, ...refused].map(({ topology }: Row) => topology);
    expect(names.sort()).toEqual(shown.map(({ name }) => name).sort());
    expect(topologies.length).toBeLessThanOrEqual(18);
    for (const { topology, predicted, measured, degree } of topologies as Row[]) {
      if (!topology.endsWith("equidyn")) expect(measured!.rounds).toBeLessThanOrEqual(predicted!.rounds);
      // All graphs here are regular in what they send, but for grid, star and the random ones: degree is the largest.
      expect(predicted!.bytes).toBe(predicted!.rounds * degree * 8000);
      expect(measured!.bytes).toBeLessThanOrEqual(measured!.rounds * degree * 8000);
    }
  });

  it("is exact after one period at powers of two", async () => {
    const [row] = (await json("compare --n 64 --topologies one-peer-exp --dim 10 --float32")).topologies;
    expect(row.predicted).toEqual({ rounds: 6, bytes: 240 });
    expect(row.measured).toEqual({ rounds: 6, bytes: 240 });
  });

  it("hands a value to those of the topologies with such an option that can take it", async () => {
    const shared = "compare --n 20 --topologies d-equistatic,de-bruijn,base,k-peer-exp --rho 0.6";
    const rows = async (words: string) => (await json(`${shared} ${words}`)).topologies;
    expect(await rows("--p 0.1")).toContainEqual(expect.objectContaining({ topology: "de-bruijn", p: 2 }));
    const others = await rows("--p 3 --k 4");
    expect(others).toContainEqual(expect.objectContaining({ topology: "de-bruijn", p: 3 }));
    for (const topology of ["base", "k-peer-exp"]) {
      expect(others).toContainEqual(expect.objectContaining({ topology, k: 4 }));
    }
    // What nobody can take is an error, and so is what the one that was named cannot.
    expect((await equitopo(`${shared} --p 0`)).stderr).toMatch(/^error: p must /);
    expect((await equitopo("rate de-bruijn --n 20 --p 0.1")).stderr).toMatch(/^error: p must be an integer/);
  });

  it("hands options to the topologies that take them", async () => {
    const [ring, od] = (await json("compare --n 17 --topologies ring,od-equidyn --eta 0.5 --seed 4")).topologies;
    expect([ring.eta, od.eta, od.seed]).toEqual([undefined, 0.5, 4]);
  });

  it("does not run what would take too long", async () => {
    const [row] = (await json("compare --n 50 --topologies ring --max-rounds 100")).topologies as Row[];
    expect(row.measured).toBeNull();
    expect(row.predicted!.rounds).toBeGreaterThan(100);
  });
});

describe("compare as a table", () => {
  it("puts EquiTopo first, aligned, with what the rates mean underneath", async () => {
    const { stdout, stderr } = await equitopo("compare --n 24");
    expect(stderr).toBe("");
    const lines = stdout.split("\n");
    const first = lines.findIndex((line) => line.startsWith("---")) + 1;
    const names = lines.slice(first, first + 13).map((line) => line.split(" ")[0]);
    expect(names.slice(0, 4)).toEqual(["d-equistatic", "u-equistatic", "od-equidyn", "ou-equidyn"]);
    expect(new Set(names).size).toBe(13);
    expect(new Set(lines.slice(first - 3, first + 13).map((line) => line.length)).size).toBe(1);
    expect(stdout).toContain("od-equidyn and ou-equidyn: the rate is a mean square");
    expect(stdout).toContain("Left out: hypercube (needs a power of 2).");
    expect((await equitopo("compare --n 24 --topologies od-equidyn --quiet")).stdout).not.toContain("mean square");
  });
});

describe("compare --degree", () => {
  it("takes what fits, with options for that many peers, and says why others do not", async () => {
    const { topologies, refused, degree } = await json(
      "compare --n 20 --degree 2 --topologies base,ring,torus,od-equidyn",
    );
    expect(degree).toBe(2);
    const labels = topologies.map((row: Row & { label?: string }) => row.label ?? row.topology);
    expect(labels).toEqual(expect.arrayContaining(["base k=2", "base k=1", "ring", "od-equidyn"]));
    for (const row of topologies as Row[]) expect(row.degree).toBeLessThanOrEqual(2);
    expect(refused).toEqual([{ topology: "torus", reason: "4 peers in a round, more than 2" }]);
    const { stdout } = await equitopo("compare --n 20 --degree 2 --topologies base,ring");
    expect(stdout).toMatch(/^base k=2 +2 /m);
  });

  it("chooses the options itself", async () => {
    const { status, stderr } = await equitopo("compare --n 20 --degree 2 --m 3");
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --degree chooses the topologies' options, got "--m"; /),
    ]);
  });
});

describe("compare --all", () => {
  it("leaves out no registered topology without a reason", async () => {
    const { topologies, refused } = await json("compare --n 16 --all --tolerance 0.1 --max-rounds 50");
    const names = [...topologies, ...refused].map(({ topology }: Row) => topology);
    expect(new Set(names)).toEqual(new Set(registry.names));
    const { status } = await equitopo("compare --n 16 --all --topologies ring");
    expect(status).toBe(2);
  });
});

describe("compare --faults", () => {
  it("samples rounds to agreement and the shift of the mean", async () => {
    const { topologies, faults } = await json(
      "compare --n 30 --topologies od-equidyn,ou-equidyn,base --faults loss=0.1,absent=0.1",
    );
    expect(faults).toEqual({ loss: 0.1, absent: 0.1 });
    const [od, ou, base] = topologies.map((row: { faults: object }) => row.faults);
    expect(od.shift).toBeGreaterThan(1e-3);
    expect(ou.shift).toBeLessThan(1e-12);
    expect(base.rounds).toBeGreaterThan(2 * topologies[2].measured.rounds);
    const { stdout } = await equitopo("compare --n 30 --topologies od-equidyn,ring --faults loss=0.1");
    expect(stdout).toContain("with faults (loss 0.1): until the spread around the mean of now is there");
    expect(stdout).toMatch(/^od-equidyn +1 +0\.\d+ +\S+ +\d+ +\d+ +\d+ +0\.\d{4} +\S+ kB$/m);
  });

  it.each(["loss", "loss=2", "lost=0.1", "loss=0.1,loss=0.2"])("refuses %s", async (words) => {
    const { status, stderr } = await equitopo(`compare --n 9 --faults ${words}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: faults must be a list of loss, absent, stale, each with a share in \[0, 1\), got /);
  });
});

describe("what stands beside the rates", () => {
  it("gains, the long run, and an all-reduce", async () => {
    const { topologies, allReduce } = await json("compare --n 25 --topologies od-equidyn,one-peer-exp,base,de-bruijn");
    const [od, exp, base, bruijn] = topologies;
    // rivals at n = 25: rms and worst gains of OD-EquiDyn, one-peer-exp and Base-2.
    expect(od.gains.worst).toBeCloseTo(1.6164, 3);
    expect([exp.gains.rms, exp.gains.worst].map((gain) => gain.toFixed(3))).toEqual(["1.453", "2.451"]);
    expect([base.gains.rms, base.gains.worst].map((gain) => gain.toFixed(3))).toEqual(["1.991", "5.777"]);
    expect(base.exactAfter).toBe(9);
    expect(bruijn.asymptotic).toBeCloseTo(0.5, 12);
    expect(allReduce).toEqual({ rounds: 1, bytes: (2 * 24 * 8000) / 25 });
  });

  it("does not run a graph in parts, and says why", async () => {
    const file = join(scratch(), "parts.csv");
    writeFileSync(file, "from,to\n0,1\n2,3\n4,5\n");
    const { stdout } = await equitopo(`compare --file ${file} --topologies ring`);
    expect(stdout).toMatch(/^parts\.csv .* - +-$/m);
    expect(stdout).toContain("parts.csv is not connected: 3 parts, which never agree with each other.");
    const { topologies } = await json(`compare --file ${file} --topologies ring`);
    expect(topologies[0]).toMatchObject({ parts: 3, predicted: null, measured: null });
  });

  it("refuses a tolerance that rounding hides", async () => {
    const { status, stderr } = await equitopo("compare --n 20 --tolerance 1e-15");
    expect([status, stderr]).toEqual([2, expect.stringMatching(/at least 1e-13, since rounding/)]);
  });

  it("the table has at most 110 columns", async () => {
    const { stdout } = await equitopo("compare --n 30");
    for (const line of stdout.split("\n").slice(0, 25)) expect(line.length).toBeLessThanOrEqual(110);
    expect(stdout).toMatch(/^all-reduce +1 +0 .* 15\.5 kB$/m);
  });
});

describe("compare --svg and --png", () => {
  const folder = scratch();
  const labels = (svg: string) => all(parseXml(svg.trim()), byClass("key")).map(words);

  it("draws a curve for each topology, labelled with its peers and rounds, the last to arrive first", async () => {
    const [svg, png] = ["all.svg", "all.png"].map((name) => join(folder, name));
    const { stdout, stderr } = await equitopo(`compare --n 64 --svg ${svg} --png ${png} --json`);
    expect(stderr).toBe(`figure written to ${svg} and ${png}\n`);
    const measured = new Map<string, number>(
      (JSON.parse(stdout).topologies as Row[]).map(({ topology, degree, measured }) => {
        const peers = degree === 1 ? "1 peer" : `${degree} peers`;
        return [`${topology}, ${peers}: ${measured!.rounds.toLocaleString("en-GB")}`, measured!.rounds] as const;
      }),
    );
    const drawn = labels(readFileSync(svg, "utf8"));
    expect([...drawn].sort()).toEqual([...measured.keys()].sort());
    // Those that arrive within the figure stand below the others, which are in the order of their errors.
    const quick = drawn.filter((label) => measured.get(label)! <= 60);
    expect(drawn.slice(-quick.length)).toEqual(quick);
    const rounds = quick.map((label) => measured.get(label)!);
    expect([...rounds].sort((a, b) => b - a)).toEqual(rounds);
    expect(readFileSync(png).subarray(1, 4).toString()).toBe("PNG");
  });

  it("shows no more curves than can be told apart, the best variant of a family", async () => {
    const svg = join(folder, "many.svg");
    await equitopo(`compare --n 9 --all --degree 3 --tolerance 1e-2 --max-rounds 99 --svg ${svg}`);
    const drawn = readFileSync(svg, "utf8");
    const names = labels(drawn).map((label) => label.split(/[ ,]/)[0]);
    expect(names.length).toBeLessThanOrEqual(18);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["d-equistatic", "u-equistatic", "od-equidyn", "ou-equidyn"]));
    expect(drawn).toMatch(/18 of \d+, one run each/);
  });

  it("shows what was not run to its end, without a number", async () => {
    const svg = join(folder, "ring.svg");
    await equitopo(`compare --n 50 --topologies ring --max-rounds 40 --tolerance 1e-3 --svg ${svg}`);
    const drawn = readFileSync(svg, "utf8");
    expect(labels(drawn)).toEqual(["ring, 2 peers"]);
    expect(drawn).toContain("by 10⁻³");
  });

  it("refuses a file in no folder before it measures", async () => {
    const { status, stdout } = await equitopo(`compare --n 20 --png ${join(folder, "none", "a.png")}`);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

describe("a rate of 1", () => {
  const folder = scratch();

  it("promises nothing by itself: a de Bruijn graph is exact after two rounds, and that is predicted", async () => {
    const path = join(folder, "bruijn.csv");
    writeFileSync(path, ".5,.5,0,0\n0,0,.5,.5\n.5,.5,0,0\n0,0,.5,.5\n");
    const [row] = (await json(`compare --file ${path} --topologies ring`)).topologies;
    expect(row).toMatchObject({
      topology: "custom",
      predicted: { rounds: 2, bytes: 32000 },
      measured: { rounds: 2, bytes: 32_000 },
    });
    expect(row.rate).toBeCloseTo(1, 12);
  });

  it("is all that a graph without edges has", async () => {
    const path = join(folder, "identity.csv");
    writeFileSync(path, "1,0\n0,1\n");
    const { stdout } = await equitopo(`compare --file ${path} --topologies ring --max-rounds 50`);
    expect(stdout).toMatch(/^identity\.csv +0 +1 +- +- +- +-$/m);
    expect(stdout).toContain("identity.csv is not connected: 2 parts");
  });
});

describe("compare with several files", () => {
  const folder = scratch();
  const file = (name: string, n: number) => {
    const path = join(folder, name);
    const edges = Array.from({ length: n }, (_, i) => `${i},${(i + 1) % n}`);
    writeFileSync(path, `from,to\n${edges.join("\n")}\n`);
    return path;
  };
  const [a, b, c] = [file("a.csv", 8), file("b.csv", 12), file("c.csv", 8)];

  it("puts both under their names, with a column n, and compares them with each other only", async () => {
    const { topologies, allReduce } = await json(`compare --file ${a} --file ${b}`);
    const shown = topologies.map(({ label, n }: { label: string; n: number }) => [label, n]);
    expect(shown).toEqual([
      ["a.csv", 8],
      ["b.csv", 12],
    ]);
    expect(allReduce.map(({ n }: { n: number }) => n)).toEqual([8, 12]);
    const { stdout } = await equitopo(`compare --file ${a} --file ${b}`);
    expect(stdout).toMatch(/^topology +n +degree/m);
    for (const line of [/^a\.csv +8 +2 /m, /^b\.csv +12 +2 /m, /^all-reduce +12 +1 /m]) expect(stdout).toMatch(line);
    expect(stdout).not.toContain("ring");
  });

  it("puts other topologies beside them at each n where they are asked for, and draws both", async () => {
    const svg = join(folder, "both.svg");
    const { stdout } = await equitopo(`compare --file ${a} --file ${b} --topologies ring --svg ${svg}`);
    expect([...stdout.matchAll(/^ring +(\d+) +2 /gm)].map(([, n]) => n)).toEqual(["8", "12"]);
    const labels = all(parseXml(readFileSync(svg, "utf8").trim()), byClass("key")).map(words);
    expect(labels.map((label) => label.split(",")[0]).sort()).toEqual(["a.csv", "b.csv", "ring", "ring"]);
    // Of one size they stand beside the usual ones.
    const { n, topologies } = await json(`compare --file ${a} --file ${c} --tolerance 0.1`);
    expect([n, topologies[0].label, topologies[1].label, topologies.length > 10]).toEqual([8, "a.csv", "c.csv", true]);
  });

  it.each([
    ["--n 10 --n 20", /^error: --n is given once, got "10 and 20"; leave out one of them/],
    [`--file ${a} --file ${a}`, /^error: each file is compared once, got /],
    [`--file ${a} --file ${b} --n 8`, /^error: --n must be the 12 nodes of b.csv, got 8/],
    ["--n 10 --seeds 1..4 --seed 2", /^error: --seed and --seeds exclude each other/],
    ["--n 10 --seeds 1,1", /^error: seeds must be A\.\.B or a list, each seed once/],
    ["--n 10 --seeds 4..1", /^error: seeds must be a number/],
  ])("refuses %s", async (more, message) => {
    const { status, stdout, stderr } = await equitopo(`compare ${more}`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("compare over seeds", () => {
  const wanted = "compare --n 60 --topologies u-equistatic,od-equidyn,ring --tolerance 1e-3";

  it("has means with deviations, and paired differences by the exact test", async () => {
    const { topologies, differences, seeds } = await json(`${wanted} --m 3 --seeds 1..8`);
    expect(seeds).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const [u, , ring] = topologies;
    // The mean of the draws with seeds 1 to 8; seed 1 alone has 0.9214.
    expect([u.rate, u.basis]).toEqual([expect.closeTo(0.947, 4), undefined]);
    expect(u.overSeeds.rate).toEqual({ seeds, mean: u.rate, sd: expect.any(Number), se: expect.any(Number) });
    expect(u.overSeeds.rate.se).toBeCloseTo(u.overSeeds.rate.sd / Math.sqrt(8), 14);
    expect(u.measured.rounds).toBe(u.overSeeds.rounds.mean);
    expect([ring.overSeeds.rate.sd, ring.overSeeds.rounds.sd > 0]).toEqual([0, true]);
    const found = differences.map((one: { a: string; b: string; p: number; distinguishable: boolean }) => [
      one.a,
      one.b,
      one.p,
      one.distinguishable,
    ]);
    expect(found).toContainEqual(["od-equidyn", "ring", 2 / 256, true]);
    expect(found).toHaveLength(3);
  });

  it("says what cannot be told apart, and how many seeds would be needed", async () => {
    const few = (await equitopo(`${wanted} --seeds 1..3`)).stdout.replaceAll("\n", " ");
    expect(few).toContain("Too few seeds to tell: 7 are needed, there are 3 (rounds measured: ");
    expect(few).toContain("means over 3 seeds, ± the standard error.");
    const one = (await equitopo("compare --n 20 --topologies ring,grid --seeds 1..7 --tolerance 0.01")).stdout;
    expect(one.replaceAll("\n", " ")).toMatch(
      /istinguishable in rounds measured \(exact sign-flip test over 7 seeds, 0.05/,
    );
  });

  it("draws bands, and says what they are", async () => {
    const svg = join(scratch(), "bands.svg");
    await equitopo(`${wanted} --seeds 1..3 --svg ${svg}`);
    const drawn = readFileSync(svg, "utf8");
    expect(drawn).toContain("means over 3 seeds, bands from the lowest to the highest");
  });
});

describe("compare --degree with graphs that are drawn", () => {
  it("draws them five times, and says where a draw has another degree", async () => {
    const { topologies } = await json("compare --n 30 --degree 6 --topologies u-equistatic,ring");
    const [u, ring] = [topologies[0], topologies.find(({ topology }: Row) => topology === "ring")];
    expect([u.label, u.overSeeds?.rate.seeds, ring.overSeeds]).toEqual([
      "u-equistatic m=3",
      [0, 1, 2, 3, 4],
      undefined,
    ]);
    expect(u.degree).toBe(u.overSeeds.degree.mean);
    const { stdout } = await equitopo("compare --n 30 --degree 6 --topologies u-equistatic,ring");
    expect(stdout).toMatch(/^u-equistatic m=3 +[\d.]+ +0\.\d+ ± 0\.\d+ /m);
    expect(stdout.replaceAll("\n", " ")).toMatch(
      /not every draw has the degree 6 \(shifts and edges that are drawn may coincide\): u-equistatic m=3 3 to 6, /,
    );
  });
});

describe("measureGossip", () => {
  const options = { until: 1e-3, seed: 1, rounds: 10_000 };

  it("counts what the busiest node sends: OU-EquiDyn leaves nodes idle", () => {
    const topology = ouEquiDyn({ n: 9, seed: 2 });
    const { rounds, messages } = measureGossip(topology, options)!;
    const sent = Array.from({ length: 9 }, () => 0);
    for (let t = 0; t < rounds; t++) for (let i = 0; i < 9; i++) sent[i] += topology.peers(t, i).to.length;
    expect(messages).toBe(Math.max(...sent));
    expect(messages).toBeLessThan(rounds);
    expect(mostMessages(topology)).toBe(1);
  });

  it("counts peers sent to, not received from", () => {
    // Node 0 sends to 1 and 2, and receives from 3 alone.
    const topology = customGraph({
      n: 4,
      self: [0, 0.5, 0.5, 0],
      edges: [
        [0, 1, 0.5],
        [0, 2, 0.5],
        [1, 3, 0.5],
        [2, 3, 0.5],
        [3, 0, 1],
      ],
    });
    expect(mostMessages(topology)).toBe(2);
    const { rounds, messages } = measureGossip(topology, options)!;
    expect(messages).toBe(2 * rounds);
  });

  it("gives up where it is told to", () => {
    expect(measureGossip(ring({ n: 100 }), { ...options, rounds: 5 })).toBeNull();
  });
});
