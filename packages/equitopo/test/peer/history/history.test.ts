/** What a peer writes down of its exchanges, and that its file is read back, half lines and all. */

import { describe, expect, it } from "vitest";
import { gatherSteps, openingPasses } from "../../../src/peer/course/meeting.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import type { Transport } from "../../../src/peer/exchange/transport.ts";
import { decodeHistory, encodeLine, type HistoryLine } from "../../../src/peer/history/history.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { expandSpec } from "../../../src/run/spec.ts";

const runs = expandSpec({
  topologies: [{ name: "ring", n: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", d: 2 },
  rounds: 2,
});

describe("the history of a peer", () => {
  it("tells of every exchange with every partner, of rows at both ends, and of a good end", async () => {
    const network = new MemoryNetwork(3);
    const peers = [0, 1, 2].map((rank) => network.join(rank));
    const lines: HistoryLine[][] = [[], [], []];
    await Promise.all(
      lines.map((kept, rank) => runSpecPeer({ transport: peers[rank], runs, history: (line) => void kept.push(line) })),
    );
    const kinds = lines[0].map((line) => (line.kind === "exchange" ? line.ending : line.kind));
    // Two steps of the meeting, each with one peer to send to and another to hear; two rounds with both neighbours.
    const meeting = ["applied", "sent", "applied", "sent"];
    const round = ["applied", "applied", "mixed"];
    const opening = Array.from({ length: openingPasses }, () => meeting).flat();
    expect(kinds).toEqual(["peer", ...opening, "row", ...round, ...round, "row", ...meeting, "end"]);
    const first = gatherSteps(3, openingPasses);
    const told = lines.map((kept) => kept.flatMap((line) => (line.kind === "exchange" && line.mutual ? [line] : [])));
    expect(told[0][0]).toMatchObject({ partner: 2, voted: "yes", heard: "yes", missing: 0, exchange: first });
    expect(told[0][0].received).toEqual(told[2].find(({ partner }) => partner === 0)?.sent);
    const mixed = lines[0].find((line) => line.kind === "mixed");
    expect(mixed).toMatchObject({ exchange: first, mutual: true, self: expect.closeTo(1 / 3, 12) });
  });

  it("shows a lost vote: one applied, the other void, having voted yes and heard nothing", async () => {
    class LosesOneVote extends MemoryNetwork {
      override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
        if (!(letter.kind === "yes" && from === 0)) super.carry(from, to, letter);
      }
    }
    const network = new LosesOneVote(2);
    const lines: HistoryLine[] = [];
    const pair = (peer: Transport) => {
      peer.history = (line) => void lines.push(line);
      return peer.exchange({
        round: 0,
        send: [{ peer: 1 - peer.rank, data: Float64Array.of(peer.rank) }],
        receive: [{ peer: 1 - peer.rank, length: 1, type: "float64" }],
        mutual: true,
      });
    };
    await Promise.all([network.join(0), network.join(1)].map(pair));
    expect(lines).toHaveLength(2);
    expect(lines.find((line) => line.kind === "exchange" && line.partner === 1)).toMatchObject({
      ...{ ending: "applied", voted: "yes", heard: "yes", missing: 0 },
    });
    expect(lines.find((line) => line.kind === "exchange" && line.partner === 0)).toMatchObject({
      ...{ ending: "void", voted: "yes", heard: null, missing: 0, received: [] },
    });
  });
});

describe("a file of lines", () => {
  const first = encodeLine({ kind: "peer", version: 1, rank: 0, size: 2 });

  it("is read back; half a line before a new beginning is left out", () => {
    const text = `${first}{"kind":"exchan\n${first}${encodeLine({ kind: "end" })}{"ki`;
    expect(decodeHistory(text).map(({ kind }) => kind)).toEqual(["peer", "peer", "end"]);
  });

  it("is refused where it is something else, or of another version", () => {
    expect(() => decodeHistory(`${first}nonsense\n${encodeLine({ kind: "end" })}`)).toThrow("line 2");
    expect(() => decodeHistory(encodeLine({ kind: "peer", version: 9, rank: 0, size: 2 }))).toThrow("version 1");
  });
});
