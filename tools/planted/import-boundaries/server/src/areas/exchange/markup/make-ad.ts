export const makeAd = 1;
