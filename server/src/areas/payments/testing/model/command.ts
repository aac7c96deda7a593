import type fc from "fast-check";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../../../platform/http/problem.ts";
import { type Invariant, must } from "./invariants.ts";
import { type Ran, checkBooks } from "./check-books.ts";
import type { ExpectedBooks } from "./expected-books.ts";
import type { RealBooks } from "./real-books.ts";

/** Where every call of a person comes from. */
export const REQUEST = { ip: "192.0.2.7" } as FastifyRequest;

export type Command = fc.AsyncCommand<ExpectedBooks, RealBooks>;

/** A step: it does something to the books, says what was expected of it, and then everything is looked at. */
export function command<I>(
  name: string,
  input: fc.Arbitrary<I>,
  run: (input: I, expected: ExpectedBooks, real: RealBooks) => Promise<Ran | void>,
): fc.Arbitrary<Command> {
  return input.map((value) => ({
    check: () => true,
    async run(expected, real) {
      await checkBooks(real, (await run(value, expected, real)) ?? null);
    },
    toString: () => `${name} ${JSON.stringify(value)}`,
  }));
}

const refusalOf = (work: () => Promise<unknown>): Promise<string | null> =>
  work().then(
    () => null,
    (error: unknown) => {
      if (error instanceof Problem) return `${error.code} ${error.message}`;
      throw error;
    },
  );

/** Asks for something that must be refused, and for the same once more. */
export async function mustRefuse(
  work: () => Promise<unknown>,
  because: Invariant = "a refusal that is repeated is refused again",
): Promise<void> {
  const first = await refusalOf(work);
  must(because, first !== null, "it is not refused");
  const second = await refusalOf(work);
  must("a refusal that is repeated is refused again", first === second, `${first}, then ${second}`);
}

/** Does something that must not be refused. */
export async function mustAllow<T>(work: () => Promise<T>): Promise<T> {
  let result: T | undefined;
  const refusal = await refusalOf(async () => {
    result = await work();
  });
  must("what is repeated is done once", refusal === null, `it is refused: ${refusal}`);
  return result as T;
}
