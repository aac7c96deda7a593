import { houseRule } from "./house-rule.ts";

const MAX_LINES = 300;
/** Style sheets are flat lists, so they may be longer. */
const MAX_STYLE_LINES = 500;
const STYLES = /\.css$/;
const CODE = /\.(?:tsx?|js|mjs|css|sql|html|kts?|brs|bs)$/;
const EXCEPTED = /\/fixtures\/|\.data\.ts$/;

export const fileLength = houseRule("file length", `split it by subject: ${MAX_LINES} lines at most`, (files) =>
  files.flatMap(({ path, text }) => {
    if (!CODE.test(path) || EXCEPTED.test(path)) return [];
    const count = text.split("\n").length - 1;
    return count > (STYLES.test(path) ? MAX_STYLE_LINES : MAX_LINES) ? [`${path} has ${count} lines`] : [];
  }),
);
