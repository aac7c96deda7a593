import { createContext } from "react";

/** The day that a calendar's week begins with: 1 is Monday, 0 is Sunday. Every date picker reads it. */
export const WeekStart = createContext<0 | 1>(1);
