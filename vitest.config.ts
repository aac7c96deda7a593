import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The only test of the benchmarks that runs on stores. */
const NEEDS_STORES = "bench/src/generated-rows.test.ts";

/** Tests that measure times. Beside others they would measure those. */
const TIMED = "server/**/*.timed.test.ts";

// One project per kind of test, so that each brings up only what it needs; `npm test` runs them in this order.
export default defineConfig({
  test: {
    // One more than the cores of the smallest machine: tests wait for stores, disks and browsers much of their time.
    maxWorkers: 3,
    pool: "forks",
    // Loading the modules takes longer than most files' tests, so a process keeps them for many files. A file leaves nothing
    // behind: modules that files share set nothing up when they are loaded, and hooks are registered by functions.
    isolate: false,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 20_000 } },
    // Stores and browsers take their time to end there, too.
    teardownTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/**/*.test.{ts,tsx}", "sdks/**/*.test.ts", "{tools,bench,e2e}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "tools/planted/**", NEEDS_STORES],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        root: "web",
        test: {
          name: "web",
          include: ["src/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          // Each test leaves the page as it found it.
          setupFiles: ["clean-page.ts", "charts-in-words.tsx"].map((file) =>
            fileURLToPath(new URL(`web/src/testing/${file}`, import.meta.url)),
          ),
          // Typing is simulated key by key, which takes long on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: ["server/**/*.test.ts"],
          exclude: ["**/node_modules/**", TIMED],
          globalSetup: ["server/src/platform/testing/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "demo",
          include: ["demo/**/*.test.ts", NEEDS_STORES],
          globalSetup: ["server/src/platform/testing/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: [TIMED],
          globalSetup: ["server/src/platform/testing/global-setup.ts"],
          maxWorkers: 1,
          // After all others of the run.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.spec.ts"],
          globalSetup: ["e2e/support/global-setup.ts"],
          // Three files at a time on one platform: each has users, apps and addresses of its own.
          // A machine four times slower than ours passes as well; what fails has waited for it.
          testTimeout: 240_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
