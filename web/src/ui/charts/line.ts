/** The name of a colour in CSS, so that it follows the scheme. */
type ColorName = "accent-line" | "ghost";

export const cssColor = (name: ColorName): string => `var(--${name})`;

export interface Line {
  id: string;
  name: string;
  values: readonly (number | null)[];
  color: ColorName;
  dashed?: boolean;
  area?: boolean;
  /** The unfinished point. The line ends before it. */
  running?: Running | undefined;
  /** The short form, for the axis. */
  format: (value: number) => string;
  /** All digits, for the tip. */
  exact: (value: number | null) => string;
  /** The title of a point, if its time differs from the chart's. */
  titleAt?: (index: number) => string;
}

/** The running hour or day: a bar for what it has so far, and a ring for what it reaches at this pace. */
export interface Running {
  at: number;
  soFar: number | null;
  soFarText: string;
  pace: number | null;
  paceText: string;
}
