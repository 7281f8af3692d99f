import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { bitwise } from "../bitwise.ts";

bitwise("memory", async (n) => {
  const network = new MemoryNetwork(n, { delay: [1, 5] });
  return Array.from({ length: n }, (_, rank) => network.join(rank));
});
