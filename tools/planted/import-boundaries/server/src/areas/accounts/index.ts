export const accounts = 1;
