export const half = (count: number): number => count / 2;
