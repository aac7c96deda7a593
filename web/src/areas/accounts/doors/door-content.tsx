import type { Door } from "./door.ts";
import { LoginDoor } from "./login-door.tsx";
import { RecoveryDoor } from "./recovery-door.tsx";
import { SignUpDoor } from "./sign-up-door.tsx";

/** What stands behind each door. */
export const DOOR_CONTENT = {
  login: LoginDoor,
  signup: SignUpDoor,
  recovery: RecoveryDoor,
} as const satisfies Record<Door, () => React.ReactNode>;
