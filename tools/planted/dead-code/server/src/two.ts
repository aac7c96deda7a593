export const two = 2;
export const three = 3;
