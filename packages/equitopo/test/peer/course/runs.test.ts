import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { equalTheSimulator } from "../runs.ts";

equalTheSimulator("memory", async (n) => {
  const network = new MemoryNetwork(n, { delay: [1, 3] });
  return Array.from({ length: n }, (_, rank) => network.join(rank));
});
