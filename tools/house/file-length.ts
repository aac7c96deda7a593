import { houseRule } from "./house-rule.ts";

const MAX_LINES = 300;
/** Lint looks after the length of code; these are the kinds it does not read, and the tests. */
const COUNTED = /\.(?:test|spec)\.tsx?$|\.(?:css|sql|js|mjs|html)$/;

export const fileLength = houseRule("file length", `split what has more than ${MAX_LINES} lines by subject`, (files) =>
  files.flatMap(({ path, text }) => {
    const count = text.split("\n").length - 1;
    if (!COUNTED.test(path) || /\/fixtures\//.test(path) || count <= MAX_LINES) return [];
    return [`${path} has ${count} lines`];
  }),
);
