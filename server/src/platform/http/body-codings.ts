import type { FastifyInstance } from "fastify";

/** Other names of codings (RFC 9110, section 8.4.1.3). */
const NAMES = new Map([["x-gzip", "gzip"]]);

/** Names a body's coding as what decompresses it knows it: its case has no meaning. */
export function nameBodyCodings(app: FastifyInstance): void {
  app.addHook("onRequest", ({ headers }, _, done) => {
    const given = headers["content-encoding"];
    if (given !== undefined) {
      const coding = given.toLowerCase();
      headers["content-encoding"] = NAMES.get(coding) ?? coding;
    }
    done();
  });
}
