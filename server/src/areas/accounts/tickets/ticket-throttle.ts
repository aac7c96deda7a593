import type { TicketType } from "@millrace/contract";
import { networkOf } from "../../../platform/http/network-of.ts";
import { throttle } from "../../../platform/http/throttle.ts";

/** Protects mailboxes from floods and tickets from guesses. A reached limit is a Problem `too_many`. */
export interface TicketThrottle {
  /** One mail of this type to this address. An inviting account has a separate count of all its invitations. */
  takeMail(type: TicketType, email: string, accountId?: number): Promise<void>;
  /** One request by a signed-out caller, for any e-mail. */
  takeAsker(address: string): Promise<void>;
  /** One look at a ticket; counts as a wrong guess until `forgiveGuess`. */
  takeGuess(address: string): Promise<void>;
  forgiveGuess(address: string): Promise<void>;
  /** One use of a right link, which may hash a password before it fails. */
  takeUse(uuid: string): Promise<void>;
}

const HOUR = { windowSeconds: 3600 };

export function ticketThrottle(): TicketThrottle {
  const mailsOfAddress = throttle({ tries: 3, ...HOUR });
  const mailsOfAccount = throttle({ tries: 30, ...HOUR });
  const asks = throttle({ tries: 60, ...HOUR });
  const guesses = throttle({ tries: 20, ...HOUR });
  const uses = throttle({ tries: 50, ...HOUR });
  return {
    takeMail: async (type, email, accountId) => {
      if (accountId !== undefined) await mailsOfAccount.take(accountId);
      await mailsOfAddress.take(`${type} ${email.toLowerCase()}`);
    },
    takeAsker: (address) => asks.take(networkOf(address)),
    takeGuess: async (address) => {
      try {
        await guesses.take(networkOf(address));
      } catch (refusal) {
        // A use that was never checked is no guess: it may have been the right link, sent many times at once.
        await guesses.giveBack(networkOf(address));
        throw refusal;
      }
    },
    forgiveGuess: (address) => guesses.giveBack(networkOf(address)),
    takeUse: (uuid) => uses.take(uuid),
  };
}
