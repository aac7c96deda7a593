export const orphan = 4;
