export const CountCard = 1;
