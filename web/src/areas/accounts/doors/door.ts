import { PATHS } from "../../../shared/paths.ts";

/** The three doors; each is a page of its own and a dialog of the landing page. */
export const DOORS = ["login", "signup", "recovery"] as const;
export type Door = (typeof DOORS)[number];

export const DOOR_TITLES = {
  login: "Log in",
  signup: "Sign up",
  recovery: "Password recovery",
} as const satisfies Record<Door, string>;

export const DOOR_PATHS = {
  login: PATHS.login,
  signup: PATHS.signup,
  recovery: PATHS.recovery,
} as const satisfies Record<Door, string>;

export const doorOf = (value: unknown): Door | null => DOORS.find((door) => door === value) ?? null;
