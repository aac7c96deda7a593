import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/**
 * An SMTP server that records recipients. Before each reply it calls `beforeAnswer` with the number of mails. Port 0
 * takes a free port.
 */
export async function mailServer(port: number, beforeAnswer: (count: number) => void = () => undefined) {
  const taken: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      stream.resume();
      stream.on("end", () => {
        taken.push(envelope.rcptTo[0]?.address ?? "");
        beforeAnswer(taken.length);
        done();
      });
    },
  });
  // A killed client breaks its connections.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { taken, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}
