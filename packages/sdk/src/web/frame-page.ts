/**
 * The frame page's script: takes one ad from the page around it and becomes it. It refuses to run with an origin of its own,
 * where the ad's scripts would stand beside the platform's pages.
 */
if (self.origin === "null" && parent !== self) {
  const take = (event: MessageEvent) => {
    const message = event.data as { millrace?: unknown; markup?: unknown } | null;
    if (event.source !== parent || message?.millrace !== 1 || typeof message.markup !== "string") return;
    removeEventListener("message", take);
    document.open();
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else runs an ad's scripts as they were written
    document.write(message.markup);
    document.close();
  };
  addEventListener("message", take);
  parent.postMessage({ millrace: 1, ready: 1 }, "*");
}
