/** The modelled connections do what TCP's do: nothing is lost but with a connection, and every wait ends. */

import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/peer/exchange/transport.ts";
import { ConnectedNetwork, type ConnectedNetworkOptions } from "../../../src/peer/network/connections.ts";
import { drawSchedule, faultKinds } from "../../../src/testing/schedule.ts";
import { conformance } from "../conformance.ts";

conformance("memory with connections", async (size, options) => {
  const network = new ConnectedNetwork(size, { loss: 0.1, resend: 5 });
  const peers = Array.from({ length: size }, (_, rank) => network.join(rank, options));
  return {
    peers,
    sleep: (milliseconds) => network.sleep(milliseconds),
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
});

/** A directed exchange from peer 0 to peer 1; what peer 1 got, and when. */
async function oneWay(network: ConnectedNetwork, [from, to]: readonly Transport[], round: number, timeout: number) {
  const [, { arrived }] = await Promise.all([
    from.exchange({ round, send: [{ peer: 1, data: Float64Array.of(round) }], receive: [] }),
    to.exchange({ round, send: [], receive: [{ peer: 0, length: 1, type: "float64" }], timeout }),
  ]);
  return { value: arrived[0]?.[0], time: network.time };
}

function two(options: ConnectedNetworkOptions = {}) {
  const network = new ConnectedNetwork(2, { delay: [1, 1], detect: 300, grace: 100, ...options });
  return { network, peers: [network.join(0), network.join(1)] };
}

describe("a connection", () => {
  it("brings a lost packet later, and all that follows it", async () => {
    const { network, peers } = two({ loss: 1, resend: 50 });
    expect(await oneWay(network, peers, 0, 1000)).toEqual({ value: 0, time: 51 });
  });

  it("that breaks loses what is under way, is dialled again, and brings what waited", async () => {
    const { network, peers } = two({ tells: false });
    const lost = oneWay(network, peers, 0, 40);
    network.break(0, 1);
    expect(await lost).toEqual({ value: undefined, time: 40 });
    expect(await oneWay(network, peers, 1, 40)).toEqual({ value: 1, time: 51 });
  });

  it("that breaks is told to the exchange at once, where it is noticed", async () => {
    const { network, peers } = two();
    const lost = oneWay(network, peers, 0, 1000);
    network.break(0, 1);
    expect(await lost).toEqual({ value: undefined, time: 0 });
  });

  it("that is half-open swallows letters: until the receiver has dialled, or until it finds out", async () => {
    const sender = two({ tells: false });
    sender.network.halfOpen(0, 1, "sender");
    expect((await oneWay(sender.network, sender.peers, 0, 20)).value).toBeUndefined();
    await sender.network.sleep(60);
    expect((await oneWay(sender.network, sender.peers, 1, 20)).value).toBe(1);

    const receiver = two({ tells: false });
    receiver.network.halfOpen(0, 1, "receiver");
    await receiver.network.sleep(250);
    expect((await oneWay(receiver.network, receiver.peers, 0, 20)).value).toBeUndefined();
    await receiver.network.sleep(150);
    expect((await oneWay(receiver.network, receiver.peers, 1, 20)).value).toBe(1);
  });

  it("holds letters through a short cut, and breaks in a long one", async () => {
    const { network, peers } = two({ giveUp: 200, resend: 10, tells: false });
    network.cut([0], [1], 100);
    expect(await oneWay(network, peers, 0, 1000)).toEqual({ value: 0, time: 110 });
    network.cut([0], [1], 500);
    expect((await oneWay(network, peers, 1, 400)).value).toBeUndefined();
    await network.sleep(200);
    expect((await oneWay(network, peers, 2, 100)).value).toBe(2);
  });
});

describe("a peer", () => {
  it("that stands still finds its deadline passed before it reads what has come", async () => {
    const { network, peers } = two();
    const wait = oneWay(network, peers, 0, 30);
    network.stop(1, 50);
    expect(await wait).toEqual({ value: undefined, time: 50 });
    expect(peers[1].counts.late).toBe(1);
  });

  it("that lost power and came back stays mute until the others find out", async () => {
    const { network, peers } = two({ tells: false });
    network.crash(0, { power: true });
    const back = [network.join(0), peers[1]];
    expect((await oneWay(network, back, 0, 20)).value).toBeUndefined();
    await network.sleep(400);
    expect((await oneWay(network, back, 1, 20)).value).toBe(1);
  });

  it.each([
    [-1e-6, 0],
    [1e-6, undefined],
  ])("may hear a vote %d ms after its deadline", async (after, heard) => {
    const { network, peers } = two();
    network.race(0, 1, after);
    const both = await Promise.all(
      peers.map((peer) =>
        peer.exchange({
          ...{ round: 0, mutual: true, timeout: 100 },
          send: [{ peer: 1 - peer.rank, data: Float64Array.of(peer.rank) }],
          receive: [{ peer: 1 - peer.rank, length: 1, type: "float64" }],
        }),
      ),
    );
    expect(both.map(({ arrived }) => arrived[0]?.[0])).toEqual([1, heard]);
  });
});

describe("schedules", () => {
  it("hold every kind of fault, kill a third of the peers at most, and differ from number to number", () => {
    const drawn = Array.from({ length: 300 }, (_, number) =>
      drawSchedule({ seed: 3, number, peers: 6, span: 100, longest: 50, most: 6, kinds: faultKinds }),
    );
    expect(new Set(drawn.flat().map(({ kind }) => kind)).size).toBe(faultKinds.length);
    expect(new Set(drawn.map((schedule) => JSON.stringify(schedule))).size).toBeGreaterThan(290);
    for (const schedule of drawn) {
      const killed = new Set(schedule.flatMap((fault) => (fault.kind === "kill" ? [fault.peer] : [])));
      expect(killed.size).toBeLessThanOrEqual(2);
    }
  });
});
