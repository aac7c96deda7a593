import { expect, test } from "vitest";
import { tallyOf } from "./tally.ts";

const ROOT = "/code";
const report = { numPassedTests: 3, numPendingTests: 1, numTodoTests: 0, testResults: [] };

test("a successful run counts the tests of its report", () => {
  expect(tallyOf(report, 0, ROOT)).toEqual({ passed: 3, failures: [], skipped: 1 });
});

test("a failed test is named with its file", () => {
  const assertionResults = [
    { status: "passed", fullName: "one holds" },
    { status: "failed", fullName: "another one holds" },
  ];
  const testResults = [{ name: "/code/web/a.test.ts", status: "failed", assertionResults }];
  expect(tallyOf({ ...report, testResults }, 1, ROOT).failures).toEqual(["web/a.test.ts > another one holds"]);
});

test("a failed test says what it found, without the frames of libraries", () => {
  const message = [
    "AssertionError: expected 3 to be 4",
    "    at /code/web/a.test.ts:7:5",
    "    at /code/node_modules/vitest/run.js:1:1",
    "    at node:internal/process:1:1",
  ].join("\n");
  const assertionResults = [{ status: "failed", fullName: "it holds", failureMessages: [message] }];
  const testResults = [{ name: "/code/web/a.test.ts", status: "failed", assertionResults }];
  expect(tallyOf({ ...report, testResults }, 1, ROOT).failures).toEqual([
    "web/a.test.ts > it holds\n      AssertionError: expected 3 to be 4\n          at /code/web/a.test.ts:7:5",
  ]);
});

test("a nonzero exit code counts as one failure, even if every test passed", () => {
  expect(tallyOf(report, 1, ROOT)).toMatchObject({
    passed: 3,
    failures: ["vitest ended with 1 after its tests passed"],
  });
});

test("a file that fails before its first test counts as one failure, with its reason", () => {
  const message = "Port 20001 is in use; set PORT to another one.";
  const testResults = [{ name: "/code/web/a.test.ts", status: "failed", message, assertionResults: [] }];
  expect(tallyOf({ ...report, testResults }, 1, ROOT).failures).toEqual([
    "web/a.test.ts (before its first test)\n      Port 20001 is in use; set PORT to another one.",
  ]);
});

test("a run without a report counts as one failure", () => {
  expect(tallyOf(null, 0, ROOT)).toEqual({ passed: 0, failures: ["vitest wrote no report"], skipped: 0 });
});
