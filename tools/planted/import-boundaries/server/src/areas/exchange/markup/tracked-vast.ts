import { price } from "../auction/price.ts";

export const trackedVast = price;
