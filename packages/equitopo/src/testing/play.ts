/** A fault schedule (schedule.ts) played on a network with connections (peer/connections.ts). */

import type { ConnectedNetwork } from "../peer/connections.ts";
import type { Fault } from "./schedule.ts";

/** Sets every fault on the network's clock; `onReturn` is called when a peer that was killed may join again. O(faults). */
export function playSchedule(
  network: ConnectedNetwork,
  schedule: readonly Fault[],
  onReturn: (rank: number) => void,
): void {
  for (const fault of schedule) network.after(fault.at, () => play(network, fault, onReturn));
}

function play(network: ConnectedNetwork, fault: Fault, onReturn: (rank: number) => void): void {
  switch (fault.kind) {
    case "break":
      network.break(fault.from, fault.to);
      return;
    case "half-open":
      network.halfOpen(fault.from, fault.to, fault.believer);
      return;
    case "cut": {
      const others = Array.from({ length: network.size }, (_, rank) => rank).filter((r) => !fault.side.includes(r));
      network.cut(fault.side, others, fault.for);
      return;
    }
    case "stop":
      network.stop(fault.peer, fault.for);
      return;
    case "race":
      network.race(fault.from, fault.to, fault.after);
      return;
    case "kill":
      if (!network.isHere(fault.peer)) return;
      network.crash(fault.peer, { power: fault.power });
      if (fault.for > 0) network.after(fault.for, () => onReturn(fault.peer));
  }
}
