/** What a gate found: a line per violation, and what it looked at, because a gate that sees nothing passes everything. */
export interface Verdict {
  findings: string[];
  /** For people: "212 modules". */
  seen: string;
}

/** One static check of the whole tree below `root`; the planted violations are such trees too. */
export interface Gate {
  name: string;
  /** The command, or the step, that mends what the gate finds. */
  fix: string;
  run(root: string): Promise<Verdict>;
}
