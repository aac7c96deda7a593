import { expect, test } from "vitest";
import { CHAT_SOURCES } from "./areas/support/index.ts";
import { pageSources } from "./page-sources.ts";

const tipalti = { payer: "Studio", key: "k", sandbox: false };
const intercom = { appId: "abc123", secret: "s" };

test("pages may frame Tipalti, at its own or its sandbox's host, only if it pays", () => {
  expect(pageSources({ intercom: undefined, tipalti: undefined })).toEqual({});
  expect(pageSources({ intercom: undefined, tipalti })).toEqual({ "frame-src": ["https://ui2.tipalti.com"] });
  expect(pageSources({ intercom: undefined, tipalti: { ...tipalti, sandbox: true } })).toEqual({
    "frame-src": ["https://ui2.sandbox.tipalti.com"],
  });
  expect(pageSources({ intercom, tipalti: undefined })).toEqual(CHAT_SOURCES);
  expect(pageSources({ intercom, tipalti })).toEqual({
    ...CHAT_SOURCES,
    "frame-src": [...(CHAT_SOURCES["frame-src"] ?? []), "https://ui2.tipalti.com"],
  });
});
