import { listRequests, uploadCreative } from "@millrace/contract";
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

test("only a parameter without which the call is refused is documented as required", () => {
  const document = openApiOf({ exchange: [listRequests] }, "https://ads.example.com") as {
    paths: Record<string, Record<string, { parameters: { name: string; required: boolean }[] }>>;
  };
  const parameters = document.paths[listRequests.path]?.["get"]?.parameters ?? [];
  expect(parameters.map(({ name }) => name)).toContain("format");
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(["id"]);
});
