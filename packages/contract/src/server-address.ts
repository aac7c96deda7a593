import { z } from "zod";

/** The address of a publisher's server that the platform calls; `such` is an example for the error message. */
export const serverAddress = (such: string) =>
  z
    .string()
    .trim()
    .max(1024, "At most 1024 characters")
    .refine(isServerAddress, `Use a web address like ${such}, without a fragment or a password`);

function isServerAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && username === "" && password === "" && !text.includes("#");
}
