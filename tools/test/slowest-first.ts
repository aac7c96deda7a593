import { readFile } from "node:fs/promises";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A test's own time limit, as an option or as the last argument. */
const LIMIT = /(?:timeout: |\}, )(\d[\d_]+)/g;

/** The longest time that a file's tests allow themselves, in milliseconds; 0 if they name none. */
export const longestLimit = (text: string): number =>
  Math.max(0, ...[...text.matchAll(LIMIT)].map(([, limit = ""]) => Number(limit.replaceAll("_", ""))));

/** Starts the files whose tests allow themselves the longest time first, so that the run does not end with one of them alone. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const limits = new Map<string, number>();
    for (const { moduleId } of files) limits.set(moduleId, longestLimit(await readFile(moduleId, "utf8")));
    const limitOf = ({ moduleId }: TestSpecification) => limits.get(moduleId) ?? 0;
    return (await super.sort(files)).toSorted((a, b) => limitOf(b) - limitOf(a));
  }
}
