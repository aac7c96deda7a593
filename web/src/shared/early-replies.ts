declare global {
  interface Window {
    /** Calls that the document itself has sent, before any module ran: see `first-requests.ts`. */
    earlyReplies?: Map<string, Promise<Response>>;
  }
}

/** The reply to a call that the document has sent already; once, because it is as old as the document. */
export function takeEarlyReply(address: string): Promise<Response> | undefined {
  const reply = window.earlyReplies?.get(address);
  window.earlyReplies?.delete(address);
  return reply;
}
