// TODO: count
export const count = 0;
