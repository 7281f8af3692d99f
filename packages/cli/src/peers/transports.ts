/** The transports that the command has by itself; plug-ins add theirs to the same registry. */

import { type LaunchOptions, transports } from "@equitopo/node";

const builtIn = {
  threads: {
    summary: "peers are threads of one program that read each other's vectors in place",
    launch: async (options: LaunchOptions) => (await import("./launch-threads.ts")).launchThreads(options),
  },
  tcp: {
    summary: "peers are processes that talk over TCP",
    launch: async (options: LaunchOptions) => (await import("./launch-processes.ts")).launchTcp(options),
  },
  "threads-tcp": {
    summary: "peers of a group are threads of one process, and processes talk over TCP",
    launch: async (options: LaunchOptions) => (await import("./launch-groups.ts")).launchGroups(options),
  },
  mpi: {
    summary: "peers are ranks of mpirun",
    launch: async (options: LaunchOptions) => (await import("./launch-processes.ts")).launchMpi(options),
  },
};

for (const [name, member] of Object.entries(builtIn)) transports.add({ name, options: {}, ...member });

export { transports };
