/** A random UUID (version 4) for something that must be done once. Also where crypto.randomUUID is missing: on pages without TLS. */
export function newKey(): string {
  const digits = crypto.getRandomValues(new Uint8Array(32));
  let at = 0;
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replaceAll(/[xy]/g, (place) => {
    const digit = (digits[at++] ?? 0) & 15;
    return (place === "x" ? digit : (digit & 3) | 8).toString(16);
  });
}
