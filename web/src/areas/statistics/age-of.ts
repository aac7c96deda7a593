const STEPS = [
  { unit: "d", seconds: 86_400 },
  { unit: "h", seconds: 3600 },
  { unit: "min", seconds: 60 },
] as const;

/** The age of an instant in its largest whole unit: `2 s`, `5 min`, `3 h`, `12 d`. */
export function ageOf(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
  const step = STEPS.find((candidate) => seconds >= candidate.seconds);
  return step ? `${Math.floor(seconds / step.seconds)} ${step.unit}` : `${seconds} s`;
}
