import { defineConfig } from "vitest/config";

export default defineConfig({
  // Two files at a time: many wait for peers' processes while others compute.
  test: {
    ...{ include: ["packages/*/test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: 2 },
    globalSetup: ["packages/gpu/test/software-adapter.ts"],
  },
});
