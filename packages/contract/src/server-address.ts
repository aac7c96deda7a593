import { z } from "zod";
import { urlOf } from "./url-of.ts";

/** The address of a publisher's server that the platform calls; `such` is an example for the error message. */
export const serverAddress = (such: string) =>
  z
    .string()
    .trim()
    .max(1024, "At most 1024 characters")
    .refine(isServerAddress, `Use a web address like ${such}, without a fragment or a password`);

function isServerAddress(text: string): boolean {
  const url = urlOf(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" && !text.includes("#");
}
