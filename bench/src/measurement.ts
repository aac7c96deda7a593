/** One line of the table: what was asked, and what came of it. */
export interface Figure {
  what: string;
  goal: string;
  measured: string;
  /** Null where there is no goal of its own. */
  reached: boolean | null;
}

export interface Outcome {
  figures: Figure[];
  /** How it was measured, and what stands between it and its goal. Markdown. */
  notes: string[];
}

export interface Measurement {
  /** What it is called on the command line. */
  name: string;
  title: string;
  run(say: (line: string) => void): Promise<Outcome>;
}
