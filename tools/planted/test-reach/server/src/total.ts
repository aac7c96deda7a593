import { twice } from "@planted/units";

export const total = (count: number): number => twice(count) + 1;
