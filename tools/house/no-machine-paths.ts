import { houseRule, placesOf } from "./house-rule.ts";

const MACHINE = /(?<![\w.:/-])\/(?:home|Users)\/\w|(?<![\w.:/-])\/(?:root|work)\/\w|\b[A-Z]:\\\\?Users/;
const REGISTRY = /"resolved": "https?:/;

export const noMachinePaths = houseRule(
  "no machine paths",
  "use paths relative to the project; for the lock file run npm install (.npmrc omits the addresses)",
  (files) =>
    files.flatMap((file) => {
      if (file.path === "package-lock.json") {
        return placesOf(REGISTRY, file).map((place) => `${place} has the address of a registry`);
      }
      return placesOf(MACHINE, file).map((place) => `${place} has a path of one machine`);
    }),
);
