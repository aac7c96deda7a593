// Which code may import which. The gate (tools/gates/boundaries.ts) adds what a rule here cannot express: no cycles among
// files, areas or the exchange's folders, type-only imports included, and only types of the contract in the SDK. Every rule
// has a planted violation in tools/planted/import-boundaries.
const TEST = "\\.(test|spec)\\.tsx?$|/testing/|/fixtures/";

/**
 * A rule in one line: code below `from` never imports `to`.
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 */
const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

export default {
  forbidden: [
    never("resolves", "An import that does not resolve would escape every other rule.", {}, { couldNotResolve: true }),
    never(
      "packages-are-below",
      "Packages do not import the other workspaces.",
      { path: "^packages/" },
      { path: "^(server|web|demo|e2e|bench|tools)/" },
    ),
    never(
      "base-packages-stand-alone",
      "contract, units and openrtb import no other package.",
      { path: "^packages/(contract|units|openrtb)/" },
      { path: "^packages/(?!$1/)" },
    ),
    never(
      "auction-and-partners-use-the-base",
      "auction and partners import contract, units and openrtb only.",
      { path: "^packages/(auction|partners)/" },
      { path: "^packages/(?!($1|contract|units|openrtb)/)" },
    ),
    never(
      "learning-uses-auction",
      "learning imports auction, for its seeded numbers, and units only.",
      { path: "^packages/learning/" },
      { path: "^packages/(?!(learning|auction|units)/)" },
    ),
    never(
      "sdk-uses-openrtb",
      "The SDK ships to devices: openrtb, and the types of the contract, nothing else.",
      { path: "^packages/sdk/" },
      { path: "^packages/(?!(sdk|openrtb|contract)/)" },
    ),
    never(
      "wrappers-use-the-sdk",
      "What wraps the SDK for a framework imports the SDK, React's hooks, and the types of the contract.",
      { path: "^packages/sdk-", pathNot: TEST },
      { path: "^packages/(?!(sdk[a-z-]*|contract)/)" },
    ),
    never(
      "packages-run-anywhere",
      "Packages run in browsers too: no Node built-ins outside their tests and build scripts.",
      { path: "^packages/", pathNot: `${TEST}|/build\\.ts$` },
      { dependencyTypes: ["core"] },
    ),
    never(
      "web-uses-contract-and-units",
      "The web imports contract and units only.",
      { path: "^web/" },
      { path: "^(packages/(?!(contract|units)/)|server/|demo/|e2e/|bench/|tools/)" },
    ),
    never(
      "ui-is-below",
      "ui has no product terms, so it imports no area.",
      { path: "^web/src/ui/" },
      { path: "^web/src/(shared|areas|app)/" },
    ),
    never(
      "web-shared-is-below-areas",
      "Code shared by several areas imports none of them.",
      { path: "^web/src/shared/" },
      { path: "^web/src/(areas|app)/" },
    ),
    never(
      "web-areas-are-below-app",
      "Areas never import app, which joins them.",
      { path: "^web/src/areas/", pathNot: TEST },
      { path: "^web/src/app/" },
    ),
    never(
      "web-areas-are-apart",
      "Web areas never import each other; app joins them.",
      { path: "^web/src/areas/([^/]+)/" },
      { path: "^web/src/areas/(?!$1/)" },
    ),
    never(
      "web-area-entry",
      "A web area is imported through its index only.",
      { path: "^web/src/", pathNot: "^web/src/areas/" },
      { path: "^web/src/areas/[^/]+/(?!index\\.tsx?$)" },
    ),
    never(
      "server-uses-packages",
      "The server imports packages, and of the demo only its index.",
      { path: "^server/", pathNot: TEST },
      { path: "^(packages/sdk|web|e2e|bench|tools|demo)/", pathNot: "^demo/src/index\\.ts$" },
    ),
    never(
      "demo-enters-at-main",
      "Areas and platform do not know the demo.",
      { path: "^server/src/(platform|areas)/", pathNot: TEST },
      { path: "^demo/" },
    ),
    never(
      "platform-is-below",
      "platform has no product terms, so it imports no area.",
      { path: "^server/src/platform/", pathNot: TEST },
      { path: "^server/src/(?!platform/)" },
    ),
    never(
      "areas-are-below-app",
      "Areas never import app, which joins them.",
      { path: "^server/src/areas/", pathNot: TEST },
      { path: "^server/src/(?!(platform|areas)/)" },
    ),
    never(
      "server-area-entry",
      "An area imports another area through its index.ts only.",
      { path: "^server/src/areas/([^/]+)/", pathNot: TEST },
      { path: "^server/src/areas/(?!$1/)[^/]+/(?!index\\.ts$)" },
    ),
    never(
      "exchange-index-is-above",
      "index.ts joins the exchange's folders; each folder declares the dependencies it needs.",
      { path: "^server/src/areas/exchange/[^/]+/", pathNot: TEST },
      { path: "^server/src/areas/exchange/[^/]+\\.ts$" },
    ),
    never(
      "server-area-entry-for-tests",
      "A test imports another area through its index.ts or its testing folder.",
      { path: "^server/src/areas/([^/]+)/.*(\\.test\\.ts$|/testing/)" },
      { path: "^server/src/areas/(?!$1/)[^/]+/(?!(index\\.ts$|testing/))" },
    ),
    never(
      "server-area-entry-from-outside",
      "An area is imported through its index.ts only.",
      { path: "^(server/(?!src/areas/)|demo/|bench/|e2e/)" },
      { path: "^server/src/areas/[^/]+/(?!index\\.ts$)" },
    ),
    never(
      "demo-uses-entries",
      "The demo imports packages, the areas' indexes and the server's platform.",
      { path: "^demo/", pathNot: TEST },
      { path: "^(server/src/(?!(areas/[^/]+/index\\.ts$|platform/|app\\.ts$))|web/|e2e/|bench/|tools/)" },
    ),
    never(
      "edge-is-not-imported",
      "No other workspace imports e2e, bench or tools.",
      { path: "^(server|web|demo|packages)/" },
      { path: "^(e2e|bench|tools)/" },
    ),
    never(
      "no-tests-in-the-product",
      "Product code does not import test code.",
      { path: "^(packages|server|web|demo)/", pathNot: TEST },
      { path: "\\.(test|spec)\\.tsx?$|/testing/" },
    ),
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/|^tools/planted/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "module", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".css"],
      mainFields: ["module", "main", "types"],
    },
  },
};
