/** How tests ended. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** The parts of vitest's JSON report that the sum is made from. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: unknown[] }[];
}

/**
 * Sums one run. A file that broke before its first test counts as one failure; so does a run that ended badly though all
 * of its tests passed (an unhandled error, a teardown that failed), and one that left no report.
 */
export function tallyOf(report: VitestReport | null, exitCode: number): Tally {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
