/** The number of tests by outcome. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** The fields of vitest's JSON report that `tallyOf` reads. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: unknown[] }[];
}

/**
 * Counts one run. A file that fails before its first test counts as one failure. So does a nonzero exit code when all tests
 * passed (an unhandled error, a failed teardown), and a run without a report.
 */
export function tallyOf(report: VitestReport | null, exitCode: number): Tally {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const failedFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + failedFiles.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
