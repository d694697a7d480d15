import { defineConfig } from "vitest/config";

/** Takes the studio's pictures for the documentation, one after the other. */
export default defineConfig({
  test: {
    dir: "tests/pictures",
    include: ["**/*.pictures.ts"],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
