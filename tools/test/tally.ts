import { relative } from "node:path";

/** Tests by outcome; of each failed one the name and what it found, so that the end of a long output tells what to look for. */
export interface Tally {
  passed: number;
  failures: readonly string[];
  skipped: number;
}

/** The fields of vitest's JSON report that `tallyOf` reads. */
export interface VitestReport {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    /** The file's path. */
    name: string;
    status: string;
    /** Why the file failed before its first test. */
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

/**
 * Counts one run. A file that fails before its first test counts as one failure. So does a nonzero exit code when all tests
 * passed (an unhandled error, a failed teardown), and a run without a report. Files are named from `root`.
 */
export function tallyOf(report: VitestReport | null, exitCode: number, root: string): Tally {
  if (report === null) return { passed: 0, failures: ["vitest wrote no report"], skipped: 0 };
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (status === "failed" && assertionResults.length === 0) {
      return [[`${file} (before its first test)`, ...foundBy(message)].join("\n")];
    }
    return assertionResults
      .filter((test) => test.status === "failed")
      .map(({ fullName, failureMessages }) => [`${file} > ${fullName}`, ...foundBy(failureMessages?.[0])].join("\n"));
  });
  if (failures.length === 0 && exitCode !== 0) failures.push(`vitest ended with ${exitCode} after its tests passed`);
  return { passed: report.numPassedTests, failures, skipped: report.numPendingTests + report.numTodoTests };
}

const MOST_LINES = 12;

/** The lines of a failure that say what was found and where, indented; not the frames of libraries. */
const foundBy = (message = ""): string[] =>
  message
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s+at .*(node_modules|node:internal)/.test(line))
    .slice(0, MOST_LINES)
    .map((line) => `      ${line}`);
