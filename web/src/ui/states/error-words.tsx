import { type ReactNode, createContext, useContext } from "react";

/** The texts of failures, provided once at the root, so that blocks have no texts of their own. */
export interface ErrorWords {
  sentence: (error: unknown) => ReactNode;
  /** The message only, for places that already say what failed. */
  plain: (error: unknown) => string;
  retry: string;
}

const Words = createContext<ErrorWords>({ sentence: String, plain: String, retry: "Try again" });

export const ErrorWordsProvider = Words.Provider;
export const useErrorWords = (): ErrorWords => useContext(Words);
