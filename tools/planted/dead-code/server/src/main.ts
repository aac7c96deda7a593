import { two } from "./two.ts";

process.exitCode = two;
