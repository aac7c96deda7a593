import type { ClientRequest } from "node:http";

/**
 * Calls `fail` if the receiver answers by changing the protocol (101), and ends the connection: without a listener, Node.js
 * drops it and tells nobody, so that the request would never end.
 */
export function onProtocolChange(request: ClientRequest, fail: () => void): void {
  request.on("upgrade", (_, socket) => {
    fail();
    socket.destroy();
  });
}
