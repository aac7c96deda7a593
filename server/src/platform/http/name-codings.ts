import type { FastifyInstance } from "fastify";

/** Other names of codings (RFC 9110, section 8.4.1.3). */
const CODINGS = new Map([["x-gzip", "gzip"]]);
/** Of replies, the smallest first. */
const REPLY_CODINGS = ["br", "gzip", "deflate"];

/** Names the codings of a request's body and of its reply as what reads these headers knows them. */
export function nameCodings(app: FastifyInstance): void {
  app.addHook("onRequest", ({ headers }, _, done) => {
    const coding = headers["content-encoding"];
    if (coding !== undefined) headers["content-encoding"] = nameOf(coding);
    const accepted = headers["accept-encoding"];
    if (accepted?.includes("*") === true) headers["accept-encoding"] = spellOut(accepted);
    done();
  });
}

/** Its case has no meaning. */
function nameOf(coding: string): string {
  const name = coding.trim().toLowerCase();
  return CODINGS.get(name) ?? name;
}

/**
 * Accept-Encoding with the codings that its `*` stands for: those that it does not name (RFC 9110, section 12.5.3). What chooses a
 * reply's coding takes `*` for the first that it knows, even if that one is excluded.
 */
function spellOut(accepted: string): string {
  const items = accepted.split(",").map((item) => {
    const [coding = "", weight = "q=1"] = item.split(";", 2);
    return { name: nameOf(coding), weight: weight.trim() };
  });
  const named = new Set(items.map(({ name }) => name));
  const others = REPLY_CODINGS.filter((name) => !named.has(name));
  return items
    .flatMap(({ name, weight }) => (name === "*" ? others : [name]).map((coding) => `${coding};${weight}`))
    .join(", ");
}
