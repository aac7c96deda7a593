import type { Asked } from "./asked.ts";

export interface Answer {
  to: Asked;
}
