import { type SourceFile, isTest } from "../gates/source-tree.ts";
import { houseRule, withoutComments } from "./house-rule.ts";

const DECLARED = /export const (\w+) = defineCall\(/g;
/** `serve(app, listApps, …)`, or `serveRaw(scope, sdkAd, …)` on the hot path. */
const SERVED = /\bserve(?:Raw)?(?:<[^>]*>)?\(\s*\w+,\s*(?:\w+\.)?(\w+)\s*[,)]/g;
const UNDECLARED =
  /\b(?:app|fastify|instance|scope|server)\s*\.(?:get|post|put|delete|patch|head|options|all|route)\s*[(<]/g;

export const servedCalls = houseRule(
  "served calls",
  "declare the call in packages/contract and bind it once with serve() in its area's routes.ts",
  (files) => {
    const declared = namesIn(files, /^packages\/contract\/src\//, DECLARED);
    const served = namesIn(files, /^server\/src\/(?!platform\/)/, SERVED);
    const areaCode = files.filter(({ path }) => /^server\/src\/(?!platform\/).*\.ts$/.test(path) && !isTest(path));
    const findings: string[] = [];
    for (const [call, path] of declared) {
      const routes = served.filter(([name]) => name === call);
      if (routes.length === 0) findings.push(`${path}: the call ${call} is served by no route`);
      if (routes.length > 1) findings.push(`the call ${call} is served by ${routes.map(([, at]) => at).join(" and ")}`);
    }
    for (const [name, path] of served) {
      if (!declared.some(([call]) => call === name))
        findings.push(`${path}: serves ${name}, which the contract does not declare`);
    }
    for (const { path, text } of areaCode) {
      for (const match of withoutComments(text).matchAll(UNDECLARED)) {
        findings.push(`${path}: the undeclared route ${match[0]}…) has no access rule and no validation`);
      }
    }
    return findings;
  },
);

/** The pattern's captured names in the code below `place`, as [name, path]. */
function namesIn(files: SourceFile[], place: RegExp, pattern: RegExp): [name: string, path: string][] {
  return files
    .filter(({ path }) => place.test(path) && path.endsWith(".ts") && !isTest(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(pattern)].map(([, name]): [string, string] => [name ?? "", path]),
    );
}
