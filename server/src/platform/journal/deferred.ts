/** A promise that is settled from outside. */
export interface Deferred {
  promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

export function deferred(): Deferred {
  let settle: Pick<Deferred, "resolve" | "reject"> | undefined;
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  if (!settle) throw new Error("a promise runs its executor at once");
  return { promise, ...settle };
}
