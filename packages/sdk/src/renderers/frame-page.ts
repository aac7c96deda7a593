/**
 * The frame page's script: receives one ad from the parent page and replaces its own document with it. Refuses to run with
 * an origin, because the ad's scripts would then have the origin of the platform's pages.
 */
if (self.origin === "null" && parent !== self) {
  const take = (event: MessageEvent) => {
    const message = event.data as { millrace?: unknown; markup?: unknown } | null;
    if (event.source !== parent || message?.millrace !== 1 || typeof message.markup !== "string") return;
    removeEventListener("message", take);
    document.open();
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else runs an ad's scripts as written
    document.write(message.markup);
    document.close();
  };
  addEventListener("message", take);
  parent.postMessage({ millrace: 1, ready: 1 }, "*");
}
