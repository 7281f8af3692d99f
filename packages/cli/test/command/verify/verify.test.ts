/** Certificates: accepted as written, refused after any change by hand. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology, topologies } from "equitopo";
import { describe, expect, it } from "vitest";
import { certify, parseCertificate, refutations } from "../../../src/certificate/certificate.ts";
import { equitopo, json, scratch } from "../../command.ts";
import { sealed } from "./seal.ts";

const folder = scratch();
const path = join(folder, "certificate.json");

describe("verify", () => {
  it("accepts what rate wrote", async () => {
    const { stdout, stderr } = await equitopo(
      `rate ou-equidyn --n 30 --m 3 --eta 0.5 --construction euclid --certificate ${path}`,
    );
    expect(stdout).toContain("ou-equidyn");
    expect(stderr).toBe(`certificate written to ${path}\n`);
    const written = JSON.parse(readFileSync(path, "utf8"));
    expect(written).toMatchObject({
      format: "equitopo-certificate",
      version: 1,
      topology: "ou-equidyn",
      n: 30,
      eta: 0.5,
      construction: "euclid",
    });
    expect(written.basis).toHaveLength(3);
    const { status, stdout: verdict } = await equitopo(`verify ${path}`);
    expect([status, verdict]).toEqual([0, `accepted: ou-equidyn, n = 30, rate ${written.rate.toFixed(6)}\n`]);
    expect(await json(`verify ${path}`)).toMatchObject({ accepted: true, differences: [] });
  });

  it("refuses with exit code 1 and says what differs", async () => {
    const forged = join(folder, "forged.json");
    writeFileSync(forged, readFileSync(path, "utf8").replace(/"rate": [^,]*/, '"rate": 0.5'));
    const { status, stdout } = await equitopo(`verify ${forged}`);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^refused: .*\n {2}rate is 0\.5 in the file, 0\.\d+ when derived\n/);
    const { status: again, stdout: text } = await equitopo(`verify ${forged} --json`);
    expect([again, JSON.parse(text).accepted]).toEqual([1, false]);
  });

  it("calls a file that is no certificate bad input", async () => {
    const cases = { "no.json": "{", "other.json": '{"n": 3}', "list.json": "[]", "null.json": "null" };
    for (const [name, content] of Object.entries(cases)) {
      writeFileSync(join(folder, name), content);
      const { status, stdout, stderr } = await equitopo(`verify ${join(folder, name)}`);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(new RegExp(`^error: .*${name}: a certificate must .*, got .*; write one with`));
    }
    expect((await equitopo(`verify ${join(folder, "missing.json")}`)).status).toBe(2);
  });

  it("is not written for a graph of your own", async () => {
    const out = join(folder, "own.json");
    writeFileSync(join(folder, "own.csv"), "0.5,0.5\n0.5,0.5");
    expect((await equitopo(`rate --file ${join(folder, "own.csv")} --certificate ${out}`)).status).toBe(2);
    expect(existsSync(out)).toBe(false);
  });
});

describe("certificates", () => {
  it("hold for every family", () => {
    for (const { name, refuses } of topologies) {
      const n = Array.from({ length: 1100 }, (_, k) => 16 + k).find((size) => refuses?.(size) === undefined) ?? 16;
      const text = JSON.stringify(certify(createTopology({ name, n })));
      expect([name, refutations(parseCertificate(text))]).toEqual([name, []]);
    }
  });

  const certificate = certify(createTopology({ name: "od-equidyn", n: 17, basis: [1, 2, 4, 8], eta: 0.5 }));
  const changes: Record<string, object> = {
    rate: { rate: certificate.rate + 1e-9 },
    n: { n: 19 },
    "n below the basis": { n: 7 },
    "n = 2.5": { n: 2.5 },
    eta: { eta: 0.51 },
    "eta out of range": { eta: 1.5 },
    basis: { basis: [1, 2, 4, 7] },
    bound: { bound: 0.1 },
    degree: { degree: 2 },
    "an option that nobody takes": { colour: "red" },
    // True all the same: three times the basis is the same graph with other labels. Only the checksum tells.
    "a basis of the same rate": { basis: [3, 6, 12, 7] },
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`refuse another ${name}`, () => {
      const changed = { ...certificate, ...change };
      expect(refutations(parseCertificate(JSON.stringify(changed)))).not.toEqual([]);
      // With a checksum of its own the numbers alone decide.
      const wrong = refutations(parseCertificate(JSON.stringify(sealed(changed))));
      expect(wrong.length > 0).toBe(name !== "a basis of the same rate");
    });
  }

  describe("every number is derived anew", () => {
    const graph = certify(createTopology({ name: "u-equistatic", n: 17, basis: [1, 4] }));
    const iterated = certify(createTopology({ name: "geometric", n: 17 }));
    const periodic = certify(createTopology({ name: "one-peer-exp", n: 12 }));
    const { largest, smallest } = graph["eigenvalues"] as { largest: number; smallest: number };
    const edits: [string, typeof graph, object][] = [
      ["the smallest eigenvalue", graph, { eigenvalues: { largest, smallest: smallest + 1e-9 } }],
      ["the largest eigenvalue", graph, { eigenvalues: { largest: 0.5, smallest } }],
      ["an eigenvalue left out", graph, { eigenvalues: { largest } }],
      ["an eigenvalue too many", graph, { eigenvalues: { largest, smallest, middle: 0 } }],
      ["an unknown method", graph, { method: "measured" }],
      ["another method", graph, { method: "certified iteration" }],
      ["an error that closed forms do not have", graph, { error: 0 }],
      ["an error of 0", iterated, { error: 0 }],
      ["the period", periodic, { period: 3 }],
      ["the norm of a period", periodic, { periodNorm: 0 }],
      ["the rate of a period", periodic, { periodRate: 0.1 }],
    ];
    it.each(edits)("%s", (_name, certificate, edit) => {
      expect(refutations(parseCertificate(JSON.stringify(certificate)))).toEqual([]);
      expect(refutations(parseCertificate(JSON.stringify(sealed({ ...certificate, ...edit }))))).toHaveLength(1);
    });

    it("and none may be missing", () => {
      for (const certificate of [graph, iterated, periodic]) {
        const { sha256: _unsealed, ...rest } = certificate;
        for (const key of Object.keys(rest)) {
          const { [key]: _missing, ...lacking } = rest as Record<string, unknown>;
          const accepted = () => refutations(parseCertificate(JSON.stringify(sealed(lacking)))).length === 0;
          let held: boolean;
          try {
            held = accepted();
          } catch {
            held = false;
          }
          expect([key, held]).toEqual([key, false]);
        }
      }
    });
  });

  it("do not depend on spaces or the order of keys", () => {
    const turned = Object.fromEntries(Object.entries(certificate).reverse());
    expect(refutations(parseCertificate(JSON.stringify(turned, null, 4)))).toEqual([]);
  });

  it("claim nothing that only was asked for", () => {
    const asked = certify(createTopology({ name: "d-equistatic", n: 30, rho: 0.8 }));
    expect(asked.bound).toBeNull();
    expect(refutations(asked)).toEqual([]);
  });
});
