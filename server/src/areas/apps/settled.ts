/** Waits for every value of the object at once. */
export async function settled<T extends Record<string, Promise<unknown>>>(
  asked: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = Object.entries(asked).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(entries)) as { [K in keyof T]: Awaited<T[K]> };
}
