// The targets of `npm run build`. Plain JavaScript, because `npm start` reads it before anything is compiled.

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string} entry The file to bundle, or a build script.
 * @property {string[]} inputs Files and folders relative to the project root.
 * @property {string} output The file whose existence shows that the target was built. Its stamp is stored beside it.
 */

const SHARED = ["package-lock.json", "tsconfig.base.json", "tools/build"];
const PACKAGES = ["contract", "units", "openrtb", "auction", "learning", "partners"].map(
  (name) => `packages/${name}/src`,
);
const SERVER = [...SHARED, ...PACKAGES, "sdks/roku/snippet.ts", "server/package.json", "server/src"];

/** @type {readonly Target[]} */
export const TARGETS = [
  {
    name: "web",
    entry: "web/index.html",
    inputs: [...SHARED, "packages/contract/src", "packages/units/src", "web"],
    output: "web/dist/index.html",
  },
  { name: "server", entry: "server/src/main.ts", inputs: [...SERVER, "demo/src"], output: "server/dist/main.js" },
  {
    name: "chdb-child",
    entry: "server/src/platform/clickhouse/child/main.ts",
    inputs: SERVER,
    output: "server/dist/chdb-child.js",
  },
  {
    name: "pdf-worker",
    entry: "server/src/areas/apps/table-files/pdf-worker.ts",
    inputs: SERVER,
    output: "server/dist/pdf-worker.js",
  },
  {
    name: "video-parser",
    entry: "server/src/platform/videos/video-parser.ts",
    inputs: SERVER,
    output: "server/dist/video-parser.js",
  },
  { name: "demo", entry: "demo/src/main.ts", inputs: [...SERVER, "demo/src"], output: "server/dist/demo.js" },
  {
    name: "sdk",
    entry: "packages/sdk/build.ts",
    inputs: [...SHARED, "packages/contract/src", "packages/openrtb/src", "packages/sdk"],
    output: "packages/sdk/dist/millrace.js",
  },
  {
    name: "sdk-packages",
    entry: "tools/build/pack-sdks.ts",
    inputs: [
      ...SHARED,
      "packages/contract/src",
      "packages/sdk",
      "packages/sdk-react",
      "packages/sdk-react-native",
      "packages/sdk-capacitor",
    ],
    output: "packages/sdk/dist/react.tgz",
  },
  {
    name: "sdk-roku",
    entry: "sdks/roku/build.ts",
    inputs: [...SHARED, "sdks/roku"],
    output: "packages/sdk/dist/roku.zip",
  },
  {
    name: "demo-page",
    entry: "demo/page/build.ts",
    inputs: [...SHARED, "packages/contract/src", "packages/openrtb/src", "packages/sdk", "demo/page"],
    output: "demo/page/dist/index.html",
  },
  {
    name: "help",
    entry: "tools/help/build.ts",
    inputs: [
      ...SHARED,
      "docs/help",
      "docs/screens",
      "docs/postbacks.md",
      "docs/reporting-api.md",
      "docs/rewards.md",
      "README.md",
      "packages/sdk/README.md",
      "packages/contract/src",
      "packages/auction/src",
      "server/src/areas/exchange/metrics.ts",
      "server/src/areas/exchange/privacy/privacy-table.ts",
      "server/src/exchange-processes.ts",
      "server/src/platform/brand.ts",
      "server/src/platform/http/openapi.ts",
      "server/src/platform/http/problem.ts",
      "tools/help",
    ],
    output: "docs/help/dist/index.html",
  },
];
