import type { Answer } from "./answer.ts";

export interface Asked {
  answer: Answer;
}
