import { describe, expect, it } from "vitest";
import { Connection, type RtcEngine } from "../../src/link/connection.ts";
import { settled } from "./wire.ts";

const sdp = (digits: string) => `v=0\r\na=fingerprint:sha-256 ${digits}\r\n`;

/** An engine that only notes what it is asked. */
function engine(digits: string, said: string[] = []) {
  let lost = () => {};
  let candidate: (candidate: unknown) => void = () => {};
  const made: RtcEngine = {
    describe: async (kind) => {
      said.push(`describe ${kind}`);
      return sdp(digits);
    },
    accept: async (kind) => void said.push(`accept ${kind}`),
    add: async (address) => {
      said.push(`add ${address}`);
      if (address === "bad") throw new Error("no such address");
    },
    listen: (listener) => {
      ({ lost, candidate } = listener);
    },
    close: () => void said.push("close"),
  };
  return { made, lost: () => lost(), candidate: (address: string) => candidate(address) };
}

describe("a connection", () => {
  it("is offered, answered and told of addresses, whichever comes first; a bad one does no harm", async () => {
    const [saidHere, saidThere]: string[][] = [[], []];
    const [near, far] = [engine("aa", saidHere), engine("bb", saidThere)];
    const waiting: string[] = [];
    const there: Connection = new Connection({ engine: far.made, role: "listener", send: (text) => here.signal(text) });
    const here = new Connection({ engine: near.made, role: "dialler", send: (text) => void waiting.push(text) });
    await settled();
    near.candidate("held");
    there.signal(JSON.stringify({ candidate: "early" }));
    for (const text of waiting.splice(0)) there.signal(text);
    there.signal(JSON.stringify({ candidate: "bad" }));
    const seen = await Promise.all([here.fingerprints, there.fingerprints]);
    await settled();
    const pair = { dialler: "sha-256 AA", listener: "sha-256 BB" };
    expect(seen).toEqual([pair, pair]);
    expect(saidHere).toEqual(["describe offer", "accept answer"]);
    expect(saidThere).toEqual(["accept offer", "add early", "describe answer", "add bad"]);
    // The dialler's own addresses go out once the answer is in force.
    expect(waiting).toEqual([JSON.stringify({ candidate: "held" })]);
  });

  it.each([
    ["no JSON", "{"],
    ["nothing of the kind", "7"],
    ["an answer to no offer", JSON.stringify({ answer: sdp("aa") })],
    ["a description without a certificate", JSON.stringify({ offer: "v=0" })],
  ])("ends at %s", async (_, text) => {
    const said: string[] = [];
    const connection = new Connection({ engine: engine("bb", said).made, role: "listener", send: () => {} });
    connection.signal(text);
    await expect(connection.fingerprints).rejects.toThrow(/refused: signal/);
    expect(said.at(-1)).toBe("close");
  });

  it("says once that it is lost, and nothing after its end", async () => {
    let lost = 0;
    const sent: string[] = [];
    const near = engine("aa");
    const connection = new Connection({
      ...{ engine: near.made, role: "dialler", send: (text: string) => void sent.push(text) },
      onLost: () => lost++,
    });
    await settled();
    near.lost();
    near.lost();
    near.candidate("late");
    connection.signal(JSON.stringify({ answer: sdp("bb") }));
    await expect(connection.fingerprints).rejects.toThrow(/refused: closed/);
    expect([lost, sent.length]).toEqual([1, 1]);
  });
});
