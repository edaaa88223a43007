import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.e2e.ts"],
    globalSetup: "./signIn.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    // A machine that is shared may stall a browser for seconds; the report names what needed a second try.
    retry: process.env["CI"] ? 1 : 0,
  },
});
