import { createTransport } from "nodemailer";
import { type MailSender, type MailTaker, messageOf } from "./message.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** Sends through an SMTP server over kept connections, with TLS wherever the server offers it. */
export function openSmtpMailer(options: MailSender & { smtpUrl: string; sendTimeoutMs: number }): MailTaker {
  const { smtpUrl, sendTimeoutMs } = options;
  const within = (ms: number) => Math.min(ms, sendTimeoutMs);
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    dnsTimeout: within(CONNECT_TIMEOUT_MS),
    connectionTimeout: within(CONNECT_TIMEOUT_MS),
    greetingTimeout: within(CONNECT_TIMEOUT_MS),
    socketTimeout: sendTimeoutMs,
    socketCloseTimeout: 1000,
    // The caller retries and logs; the transport must not send a mail twice by itself.
    maxRequeues: 0,
  });
  // A kept connection that breaks is replaced at the next mail.
  transport.on("error", () => undefined);
  return {
    async send(mail) {
      const signal = AbortSignal.timeout(sendTimeoutMs);
      await transport.sendMail({ ...messageOf(mail, options), signal });
    },
    async close() {
      transport.close({ force: true });
    },
  };
}

/**
 * Whether a retry would fail too: an invalid address, or a 5xx for this recipient or message (RFC 5321, 4.2.1). A
 * refused sender or login is not permanent, because the operator can correct the settings.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  if (!(error instanceof Error)) return false;
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  return (command === "RCPT TO" || command === "DATA") && typeof responseCode === "number" && responseCode >= 500;
}
