import { fileURLToPath } from "node:url";
import { runGates } from "./gates/run-gates.ts";

// `npm run check`: runs every static gate on the working tree.
const { failures } = await runGates(fileURLToPath(new URL("..", import.meta.url)));
process.exitCode = failures.length === 0 ? 0 : 1;
