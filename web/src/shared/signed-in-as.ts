/** The user whose page this is; undefined until their session is known, and after it has ended. */
let user: string | undefined;
let left = false;

export const signedInAs = (): string | undefined => user;

/** The session's user, by uuid. Returns false if this is somebody else's page: the browser has signed in again, in another tab. */
export function signInAs(uuid: string): boolean {
  user ??= uuid;
  return user === uuid;
}

export function signOut(): void {
  user = undefined;
  left = false;
}

/** The page gives way to one of another user. Nothing of it is taken for theirs, even if it stays because of unsaved changes. */
export function leavePage(): void {
  left = true;
}

export const isLeft = (): boolean => left;
