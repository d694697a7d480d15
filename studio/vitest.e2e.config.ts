import { defineConfig } from "vitest/config";

/** One browser, one server, one test after the other: what a slow machine can do. */
export default defineConfig({
  test: {
    dir: "tests/e2e",
    include: ["**/*.e2e.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
