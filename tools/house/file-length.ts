import { houseRule } from "./house-rule.ts";

const MAX_LINES = 300;
/** Lists of cases and of styles are longer and still read line by line. */
const MAX_LIST_LINES = 500;
const LIST = /\.(?:test|spec)\.tsx?$|\.css$/;
const CODE = /\.(?:tsx?|js|mjs|css|sql|html)$/;
const EXCEPTED = /\/fixtures\/|\.data\.ts$/;

export const fileLength = houseRule("file length", `split it by subject: ${MAX_LINES} lines at most`, (files) =>
  files.flatMap(({ path, text }) => {
    if (!CODE.test(path) || EXCEPTED.test(path)) return [];
    const count = text.split("\n").length - 1;
    return count > (LIST.test(path) ? MAX_LIST_LINES : MAX_LINES) ? [`${path} has ${count} lines`] : [];
  }),
);
