import { configDefaults, defineConfig } from "vitest/config";

// What starts many processes or browsers is named *.long.test.ts, and run by `npm run test:all`, as CI does.
export default defineConfig(({ mode }) => ({
  // Two files at a time: many wait for peers' processes while others compute.
  test: {
    ...{ include: ["packages/*/test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: 2 },
    exclude: [...configDefaults.exclude, ...(mode === "all" ? [] : ["**/*.long.test.ts"])],
    globalSetup: ["packages/gpu/test/software-adapter.ts"],
  },
}));
