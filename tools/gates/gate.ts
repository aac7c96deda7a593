/** The result of a gate: one line per violation, and what was checked, since a gate that reads no file passes everything. */
export interface Verdict {
  findings: string[];
  /** For the console, such as "212 modules". */
  checked: string;
}

/** One static check of the tree below `root`: the project, or a planted violation. */
export interface Gate {
  name: string;
  /** The command or step that fixes the violations. */
  fix: string;
  run(root: string): Promise<Verdict>;
}
