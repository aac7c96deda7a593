import { fileURLToPath } from "node:url";
import { runGates } from "./gates/run-gates.ts";

// `npm run check`: every static gate on the tree as it is.
const { failed } = await runGates(fileURLToPath(new URL("..", import.meta.url)));
process.exitCode = failed === 0 ? 0 : 1;
