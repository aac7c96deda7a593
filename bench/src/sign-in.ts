import type { PlatformProcess } from "./platform-process.ts";

/** Signs in and returns the session cookie. */
export async function signIn(
  { url }: Pick<PlatformProcess, "url">,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const response = await fetch(`${url}/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const cookie = response.headers.get("set-cookie")?.split(";")[0];
  if (!response.ok || cookie === undefined) {
    throw new Error(`signing in failed: ${response.status} ${await response.text()}`);
  }
  return cookie;
}
