/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/no-unsafe-argument -- plain JavaScript is not part of a typed program here */
// A program of its own, because the interpreter keeps its process busy for seconds: node run-brs.js <folder>
import { readdirSync } from "node:fs";
import path from "node:path";
import { quickenInterpreter } from "./quicken-interpreter.js";
import { correctPlatform } from "./correct-platform.js";
import brs from "@rokucommunity/brs";

const root = path.resolve(process.argv[2] ?? "");
const source = path.join(root, "source");
quickenInterpreter();
correctPlatform();
await brs.execute(
  readdirSync(source, { recursive: true })
    .filter((file) => String(file).endsWith(".brs"))
    .map((file) => path.join(source, String(file))),
  { root, componentDirs: [], noColor: true },
);
