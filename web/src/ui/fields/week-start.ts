import { createContext } from "react";

/** The first day of the week in every calendar: 1 is Monday, 0 is Sunday. */
export const WeekStart = createContext<0 | 1>(1);
