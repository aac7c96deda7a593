/** The steps of a gauge, one per 3 percent. */
export const GAUGE_STEP_PERCENT = 3;
export const GAUGE_STEPS = Math.floor(100 / GAUGE_STEP_PERCENT);

/** The number of lit steps. Values outside of 0 to 100 percent are clamped. */
export function litSteps(percent: number | null): number {
  if (percent === null || Number.isNaN(percent)) return 0;
  return Math.min(GAUGE_STEPS, Math.round(Math.max(0, Math.min(100, percent)) / GAUGE_STEP_PERCENT));
}

/** The start and end of a step on the half circle in degrees, from 0 on the left to 180 on the right. */
export function stepDegrees(step: number): { from: number; to: number } {
  const width = 180 / GAUGE_STEPS;
  return { from: step * width, to: (step + 1) * width };
}
