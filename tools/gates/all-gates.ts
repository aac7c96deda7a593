import { coveredSpec } from "../house/covered-spec.ts";
import { documentedSettings } from "../house/documented-settings.ts";
import { fileLength } from "../house/file-length.ts";
import { fileNames } from "../house/file-names.ts";
import { lookupTables } from "../house/lookup-tables.ts";
import { glossary } from "../house/glossary.ts";
import { noLeftovers } from "../house/no-leftovers.ts";
import { noMachinePaths } from "../house/no-machine-paths.ts";
import { promisedNode } from "../house/promised-node.ts";
import { reasonedSuppressions } from "../house/reasoned-suppressions.ts";
import { servedCalls } from "../house/served-calls.ts";
import { boundaries } from "./boundaries.ts";
import { deadCode } from "./dead-code.ts";
import { format } from "./format.ts";
import type { Gate } from "./gate.ts";
import { lint } from "./lint.ts";
import { types } from "./types.ts";

/** Every gate, slowest first, so that the two workers finish at about the same time. */
export const ALL_GATES: readonly Gate[] = [
  types,
  format,
  lint,
  deadCode,
  boundaries,
  servedCalls,
  documentedSettings,
  coveredSpec,
  fileLength,
  fileNames,
  lookupTables,
  glossary,
  noLeftovers,
  noMachinePaths,
  promisedNode,
  reasonedSuppressions,
];
