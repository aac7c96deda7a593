export const stringUtils = 1;
