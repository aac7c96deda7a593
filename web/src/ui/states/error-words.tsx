import { createContext, useContext } from "react";

/** How the application words a failure; given once, at the top, so that the blocks need no words of their own. */
export interface ErrorWords {
  sentence: (error: unknown) => string;
  retry: string;
}

const Words = createContext<ErrorWords>({ sentence: String, retry: "Try again" });

export const ErrorWordsProvider = Words.Provider;
export const useErrorWords = (): ErrorWords => useContext(Words);
