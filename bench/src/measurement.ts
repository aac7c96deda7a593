/** One row of the results table. */
export interface Figure {
  what: string;
  goal: string;
  measured: string;
  /** Null if there is no goal. */
  reached: boolean | null;
}

export interface Outcome {
  figures: Figure[];
  /** How it was measured, and what limits it. Markdown. */
  notes: string[];
}

export interface Measurement {
  /** Its name on the command line. */
  name: string;
  title: string;
  run(say: (line: string) => void): Promise<Outcome>;
}
