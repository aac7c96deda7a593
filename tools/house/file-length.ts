import { houseRule } from "./house-rule.ts";

const MAX_LINES = 300;
/** A table of cases is long and still read line by line. */
const MAX_TEST_LINES = 500;
const TEST = /\.(?:test|spec)\.tsx?$/;
const CODE = /\.(?:tsx?|js|mjs|css|sql|html)$/;
const EXCEPTED = /\/fixtures\/|\.data\.ts$/;

export const fileLength = houseRule("file length", `split it by subject: ${MAX_LINES} lines at most`, (files) =>
  files.flatMap(({ path, text }) => {
    if (!CODE.test(path) || EXCEPTED.test(path)) return [];
    const count = text.split("\n").length - 1;
    return count > (TEST.test(path) ? MAX_TEST_LINES : MAX_LINES) ? [`${path} has ${count} lines`] : [];
  }),
);
