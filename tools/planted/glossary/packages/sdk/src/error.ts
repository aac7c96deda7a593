export const error = "network";
