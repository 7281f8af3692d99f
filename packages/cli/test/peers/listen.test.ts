/** A worker whose port is taken says so and ends with exit code 2: nothing was begun. */

import { writeFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { equitopo, scratch } from "../command.ts";

it("refuses a busy port", async () => {
  const folder = scratch();
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen({ host: "127.0.0.1", port: 0 }, resolve));
  const { port } = taken.address() as AddressInfo;
  const [spec, hosts] = [join(folder, "spec.json"), join(folder, "hosts.txt")];
  const algorithms = [{ name: "dsgd", learningRate: 0.01 }];
  const problem = { name: "least-squares" };
  writeFileSync(spec, JSON.stringify({ topologies: [{ name: "ring", n: 2 }], algorithms, problem, rounds: 1 }));
  writeFileSync(hosts, `127.0.0.1:${port}\n127.0.0.1:1\n`);
  try {
    const { status, stdout, stderr } = await equitopo(`worker ${spec} --hosts ${hosts} --rank 0`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(
      `another program listens there), got "127.0.0.1:${port}"; free the port, or listen at another`,
    );
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
});
