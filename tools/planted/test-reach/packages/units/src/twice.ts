export const twice = (count: number): number => count * 2;
