/** The user whose page this is; undefined until their session is known, and after it has ended. */
let user: string | undefined;
let left = false;
let gone = false;

export const signedInAs = (): string | undefined => user;

/** The session's user, by uuid. Returns false if this is somebody else's page: the browser has signed in again, in another tab. */
export function signInAs(uuid: string): boolean {
  user ??= uuid;
  return user === uuid;
}

export function signOut(): void {
  user = undefined;
  left = false;
  gone = false;
}

/** Another user's page replaces this one. Even if it stays because of unsaved changes, its state is never used for that user. */
export function leavePage(): void {
  left = true;
}

export const isLeft = (): boolean => left;

/** The browser has signed in as somebody else. The page closes at once, and its input is discarded so that they never see it. */
export function giveWay(): void {
  left = true;
  gone = true;
}

export const hasGivenWay = (): boolean => gone;
