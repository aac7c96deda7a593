import fc from "fast-check";
import { expect, test } from "vitest";
import { failureOf } from "./failure-of.ts";
import { readIdentity } from "./identity.ts";

const mailOf = ({ email, emailVerified }: ReturnType<typeof readIdentity>) => [email, emailVerified];

test.each([
  [{ email: "Ann@Example.com", email_verified: true }, ["ann@example.com", true]],
  [{ email: "ann@example.com", email_verified: false }, ["ann@example.com", false]],
  [{ email: "ann@example.com" }, ["ann@example.com", null]],
  [{ email: "ann@example.com", email_verified: null }, ["ann@example.com", null]],
  [{ email: "ann@example.com", email_verified: "true" }, ["ann@example.com", false]],
  [{ email: "ann@example.com", email_verified: 1 }, ["ann@example.com", false]],
  [{ email: "ann", email_verified: true }, [null, null]],
  [{ email: ["ann@example.com"], email_verified: true }, [null, null]],
  [{ email_verified: true }, [null, null]],
  [{}, [null, null]],
])("%j says %j of the e-mail", (claims, said) => {
  expect(mailOf(readIdentity("sub", claims))).toEqual(said);
});

test("an e-mail and whether it is verified come from the same place", () => {
  const elsewhere = { email: "other@example.com", email_verified: true };
  expect(mailOf(readIdentity("sub", { email: "ann@example.com" }, elsewhere))).toEqual(["ann@example.com", null]);
  expect(mailOf(readIdentity("sub", { email_verified: false }, elsewhere))).toEqual(["other@example.com", true]);
});

test("the given and family names go first, else the whole name is the name", () => {
  const names = (claims: object) => {
    const { name, surname } = readIdentity("sub", { ...claims });
    return [name, surname];
  };
  expect(names({ name: "Ann Bee", given_name: "Ann", family_name: "Bee" })).toEqual(["Ann", "Bee"]);
  expect(names({ name: " Ann\r\n\tBee ", family_name: "Bee" })).toEqual(["Ann Bee", ""]);
  expect(names({ name: 7 })).toEqual(["", ""]);
});

test("any claim of an identity provider yields one-line names of at most 25 characters and a valid e-mail or none", () => {
  const Anything = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue());
  const Claims = fc.record(
    { email: Anything, email_verified: Anything, name: Anything, given_name: Anything, family_name: Anything },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(Claims, Claims, (idToken, userInfo) => {
      const { email, emailVerified, name, surname } = readIdentity("sub", idToken, userInfo);
      for (const text of [name, surname]) {
        expect(Array.from(text).length).toBeLessThanOrEqual(25);
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }
      if (email === null) expect(emailVerified).toBeNull();
      else expect(email).toMatch(/^[^@\s]+@[^@\s]+$/);
    }),
  );
});

test("a logged failure has its codes but no message, cause or text of the identity provider", () => {
  const cause = Object.assign(new Error("code=secret"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("state=secret", { cause }), {
    code: "OAUTH_RESPONSE_BODY_ERROR",
    error: "invalid_grant",
    error_description: "secret",
  });
  expect(failureOf(error)).toEqual({
    failure: "OAUTH_RESPONSE_BODY_ERROR",
    cause: "ECONNREFUSED",
    said: "invalid_grant",
  });
  expect(failureOf({ code: 7, error: "a sentence with secrets" })).toEqual({});
  expect(failureOf(new TypeError("secret"))).toEqual({ failure: "TypeError" });
  expect(failureOf(undefined)).toEqual({});
});
