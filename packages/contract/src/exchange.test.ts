import { expect, test } from "vitest";
import { z } from "zod";
import { sdkAd, sdkInit, sdkPing } from "./exchange.ts";
import { Micros } from "./fields.ts";

/** Every field of a schema by its path, including those in lists and wrappers. */
function fieldsOf(schema: unknown, path = ""): [path: string, schema: unknown][] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => [
      [`${path}${name}`, field] as [string, unknown],
      ...fieldsOf(field, `${path}${name}.`),
    ]);
  }
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, path);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return fieldsOf(schema.unwrap(), path);
  }
  return [];
}

const fields = [sdkInit.body, sdkInit.reply, sdkAd.body, sdkAd.reply, sdkPing.body].flatMap((schema) =>
  fieldsOf(schema),
);

test("amounts of money in the SDK's protocol have their unit in the name", () => {
  const isMoney = (schema: unknown) =>
    schema === Micros || (schema instanceof z.ZodOptional && schema.unwrap() === Micros);
  const money = fields.filter(([, schema]) => isMoney(schema)).map(([path]) => path);
  expect(money).toEqual(["ads.revenue_micros", "ads.expected_micros"]);
  expect(fields.filter(([path]) => path.endsWith("_micros")).map(([path]) => path)).toEqual(money);
});

test("the SDK's protocol has these names for identity, versions and times", () => {
  const paths = fields.map(([path]) => path);
  expect(paths).toEqual(
    expect.arrayContaining(["sdk_version", "install_id", "session_timeout_seconds", "latest_sdk_version"]),
  );
  for (const path of paths) expect(path).not.toMatch(/(^|\.)(sdk|install|latest_sdk|revenue|.*silence.*)$/);
});
