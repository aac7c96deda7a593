import { expect, test } from "vitest";
import { StartError, failureText } from "./start-error.ts";

test("an error that ends the command is a sentence if the operator can act on it, else a stack", () => {
  expect(failureText(new StartError("The setting PORT is wrong."))).toBe("The setting PORT is wrong.");
  const limit = Object.assign(new Error("EMFILE: too many open files, open '/a'"), { code: "EMFILE" });
  expect(failureText(limit)).toMatch(
    /^Too many files are open \(EMFILE\): raise .* `ulimit -n` or systemd's LimitNOFILE\.$/,
  );
  expect(failureText(new TypeError("x is not a function"))).toMatch(/x is not a function\n +at /);
  expect(failureText("nothing")).toBe("nothing");
});
