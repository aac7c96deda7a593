import { TEXTS } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { GivenWithTicket } from "./redemption.ts";

/** The password that was chosen on the page of a link; Problem `invalid` where it is missing, or was mistyped. */
export function chosenPassword({ pass, pass_confirm: passConfirm }: GivenWithTicket): string {
  if (pass === undefined) throw new Problem("invalid", { pass: TEXTS.required });
  if (pass !== passConfirm) throw new Problem("invalid", { pass_confirm: TEXTS.passwordsDiffer });
  return pass;
}
