import { type ReactNode, createContext, useContext } from "react";

/** How the application words a failure; given once, at the top, so that the blocks need no words of their own. */
export interface ErrorWords {
  sentence: (error: unknown) => ReactNode;
  /** The failure's own words, for a place that says itself what failed. */
  plain: (error: unknown) => string;
  retry: string;
}

const Words = createContext<ErrorWords>({ sentence: String, plain: String, retry: "Try again" });

export const ErrorWordsProvider = Words.Provider;
export const useErrorWords = (): ErrorWords => useContext(Words);
