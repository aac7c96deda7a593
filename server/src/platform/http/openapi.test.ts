import { uploadCreative } from "@millrace/contract";
import { expect, test } from "vitest";
import { openApiOf } from "./openapi.ts";

test("a call that takes a file is documented with its form", () => {
  const document = openApiOf({ campaigns: [uploadCreative] }, "https://ads.example.com") as {
    paths: Record<string, Record<string, object>>;
  };
  expect(document.paths["/campaign/upload"]?.["post"]).toMatchObject({
    requestBody: {
      required: true,
      content: {
        "multipart/form-data": { schema: { properties: { file: { format: "binary" } }, required: ["file"] } },
      },
    },
  });
});
