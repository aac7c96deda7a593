import { TEXTS } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { RedemptionInput } from "./redemption.ts";

/** The password from a link's page; Problem `invalid` if it is missing or was mistyped. */
export function chosenPassword({ pass, pass_confirm: passConfirm }: RedemptionInput): string {
  if (pass === undefined) throw new Problem("invalid", { pass: TEXTS.required });
  if (pass !== passConfirm) throw new Problem("invalid", { pass_confirm: TEXTS.passwordsDiffer });
  return pass;
}
