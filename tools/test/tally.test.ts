import { expect, test } from "vitest";
import { tallyOf } from "./tally.ts";

const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] };

test("a successful run counts the tests of its report", () => {
  expect(tallyOf(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
});

test("a nonzero exit code counts as one failure, even if every test passed", () => {
  expect(tallyOf(report, 1)).toMatchObject({ passed: 3, failed: 1 });
});

test("a file that fails before its first test counts as one failure", () => {
  const testResults = [{ name: "a.test.ts", status: "failed", assertionResults: [] }];
  expect(tallyOf({ ...report, testResults }, 1)).toMatchObject({ failed: 1 });
});

test("a run without a report counts as one failure", () => {
  expect(tallyOf(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
