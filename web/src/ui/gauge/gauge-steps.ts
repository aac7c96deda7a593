/** A gauge's steps: one for every 3 percent. */
export const GAUGE_STEP_PERCENT = 3;
export const GAUGE_STEPS = Math.floor(100 / GAUGE_STEP_PERCENT);

/** How many steps of the gauge are lit: percent from 0 to 100 in steps of 3, whatever is beyond is held at the end. */
export function litSteps(percent: number | null): number {
  if (percent === null || Number.isNaN(percent)) return 0;
  return Math.min(GAUGE_STEPS, Math.round(Math.max(0, Math.min(100, percent)) / GAUGE_STEP_PERCENT));
}

/** From where to where a step reaches on the half circle, in degrees: 0 at the left end, 180 at the right. */
export function stepDegrees(step: number): { from: number; to: number } {
  const width = 180 / GAUGE_STEPS;
  return { from: step * width, to: (step + 1) * width };
}
