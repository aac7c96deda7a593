import { houseRule, placesOf } from "./house-rule.ts";

const MACHINE = /(?<![\w.:/-])\/(?:home|Users)\/\w|(?<![\w.:/-])\/(?:root|work)\/\w|\b[A-Z]:\\\\?Users/;
const REGISTRY = /"resolved": "https?:/;

export const noMachinePaths = houseRule(
  "no machine paths",
  "write paths relative to the project; for the lock file: npm install (.npmrc leaves the addresses out)",
  (files) =>
    files.flatMap((file) => {
      if (file.path === "package-lock.json") {
        return placesOf(REGISTRY, file).map((place) => `${place} names a registry's address`);
      }
      return placesOf(MACHINE, file).map((place) => `${place} names a path of one machine`);
    }),
);
