import { isCode } from "../gates/source-tree.ts";
import { houseRule, placesOf } from "./house-rule.ts";

const SUPPRESSION = /(?:oxlint|eslint)-disable|@ts-(?:expect-error|ignore)|(?:oxfmt|prettier)-ignore/;
const WITH_REASON =
  /(?:(?:oxlint|eslint)-disable[\w-]* [\w/@, -]+ -- |@ts-expect-error |(?:oxfmt|prettier)-ignore )\S+ \S+/;

export const reasonedSuppressions = houseRule(
  "suppressions",
  "write the reason on the same line: // oxlint-disable-next-line rule -- why",
  (files) =>
    files
      .filter(({ path }) => isCode(path) && !path.startsWith("tools/house/"))
      .flatMap((file) =>
        placesOf(SUPPRESSION, file)
          .filter((place) => !WITH_REASON.test(file.text.split("\n")[Number(place.split(":")[1]) - 1] ?? ""))
          .map((place) => `${place} disables a rule without a reason`),
      ),
);
