export const STEPS: Readonly<Record<string, number>> = {
  low: 0.5,
};
