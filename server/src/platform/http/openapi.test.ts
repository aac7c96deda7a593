import {
  type Call,
  NEXT_IMPRESSIONS,
  appImpressions,
  appStats,
  downloadTableFile,
  listRequests,
  uploadCreative,
} from "@millrace/contract";
import { expect, test } from "vitest";
import { openApiOf } from "./openapi.ts";

interface Operation {
  requestBody?: object;
  parameters: { name: string; required: boolean; schema: object }[];
  responses: { 200: object };
}

function documented(call: Call): Operation {
  const { paths } = openApiOf({ area: [call] }, "https://ads.example.com") as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operation = paths[call.path]?.[call.method.toLowerCase()];
  if (!operation) throw new Error(`${call.path} is not documented`);
  return operation;
}

test("a call that takes a file is documented with its form", () => {
  expect(documented(uploadCreative).requestBody).toMatchObject({
    required: true,
    content: {
      "multipart/form-data": { schema: { properties: { file: { format: "binary" } }, required: ["file"] } },
    },
  });
});

test("only a parameter without which the call is refused is documented as required", () => {
  const { parameters } = documented(listRequests);
  expect(parameters.map(({ name }) => name)).toContain("format");
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(["id"]);
});

test("a file is documented with its media type, and with the headers that its reader needs", () => {
  const [csv, file] = [appImpressions, downloadTableFile].map((call) => documented(call).responses[200]);
  expect(csv).toEqual({
    description: "Done",
    headers: { [NEXT_IMPRESSIONS]: { description: expect.any(String), schema: { type: "string" } } },
    content: { "text/csv": {} },
  });
  expect(file).toEqual({ description: "Done", content: { "text/csv": {}, "application/pdf": {} } });
});

test("the default of a day is not documented, as it is another one tomorrow", () => {
  const { parameters } = documented(appStats);
  expect(parameters.find(({ name }) => name === "ds")?.schema).not.toHaveProperty("default");
  expect(parameters.find(({ name }) => name === "order_type")?.schema).toHaveProperty("default");
});
