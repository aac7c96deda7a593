import * as fc from "fast-check";
import { expect, test } from "vitest";
import everyField from "../fixtures/app-request-with-every-field.json" with { type: "json" };
import { isObject } from "./check.ts";
import { validateBidRequest } from "./validate-bid-request.ts";
import { withoutNulls } from "./without-nulls.ts";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const full = (): { [key: string]: Json } => structuredClone(everyField) as unknown as { [key: string]: Json };
const banner = (id = "1"): Json => ({ id, banner: { format: [{ w: 320, h: 50 }] } });
const small = (changes: object = {}): object => ({ id: "r", imp: [banner()], app: { id: "a" }, ...changes });

function faultOf(value: unknown): { path: string; message: string } | null {
  const verdict = validateBidRequest(value);
  return verdict.ok ? null : verdict.error;
}

/** `imp[0].banner` as ["imp", 0, "banner"]. */
const steps = (path: string): (string | number)[] =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));

function at(value: unknown, path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner) && typeof step === "number") return inner[step] as unknown;
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}

function pathsOf(value: Json, path: (string | number)[] = []): (string | number)[][] {
  const here = path.length === 0 ? [] : [path];
  if (Array.isArray(value)) return [...here, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))];
  if (!isObject(value)) return here;
  return [...here, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

const spell = (path: (string | number)[]): string =>
  path.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");

function put(target: Json, path: (string | number)[], value: unknown): void {
  const parent = at(target, path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path.at(-1) ?? ""] = value;
}

test("a request with every field of the standard is valid and comes back as the same object", () => {
  const request = full();
  const before = JSON.stringify(request);
  const verdict = validateBidRequest(request);
  expect(verdict).toEqual({ ok: true, request });
  expect(verdict.ok && (verdict.request as unknown) === request).toBe(true);
  expect(JSON.stringify(request)).toBe(before);
});

const standardPaths = pathsOf(full()).filter(
  (path) => !path.slice(0, -1).includes("ext") && path[0] !== "unknown" && path[0] !== "ext",
);

test("the fixture has more than 300 of the standard's fields", () => {
  expect(standardPaths.length).toBeGreaterThan(300);
});

test.each(standardPaths.map((path) => [spell(path), path] as const))(
  "a wrong type at %s is reported with its path",
  (name, path) => {
    const request = full();
    put(request, path, true);
    expect(faultOf(request)?.path).toBe(name);
  },
);

test.each(standardPaths.map((path) => [spell(path), path] as const))(
  "a null at %s counts as an absent field, and is refused in a list",
  (name, path) => {
    const [request, without] = [full(), full()];
    put(request, path, null);
    if (typeof path.at(-1) === "number") {
      expect(faultOf(request)?.path).toBe(name);
      return;
    }
    Reflect.deleteProperty(at(without, path.slice(0, -1)) as object, path.at(-1) ?? "");
    expect(validateBidRequest(request)).toEqual(validateBidRequest(without));
  },
);

test("a null does not stand in for a required field, nor for a field that a rule needs", () => {
  expect(faultOf(small({ id: null }))).toEqual({ path: "id", message: "is required" });
  expect(faultOf(small({ imp: [{ id: "1", video: { mimes: null } }] }))?.path).toBe("imp[0].video.mimes");
  expect(faultOf(small({ imp: [{ id: "1", banner: null }] }))?.path).toBe("imp[0]");
  expect(faultOf(small({ imp: [{ id: "1", banner: { format: null, w: 320, h: null } }] }))?.path).toBe("imp[0].banner");
  expect(faultOf(small({ site: { id: null, page: null }, app: null }))?.path).toBe("site");
  expect(faultOf(small({ site: null, imp: [banner(), null] }))?.path).toBe("imp[1]");
});

test("a null in an extension stays, because it can have a meaning there", () => {
  const request = small({ ext: { a: null }, user: { id: null, ext: { eids: null, own: { b: null } } } });
  expect(validateBidRequest(request)).toEqual({
    ok: true,
    request: small({ ext: { a: null }, user: { ext: { eids: null, own: { b: null } } } }),
  });
});

test.each([
  [{ id: undefined }, "id", "is required"],
  [{ id: "" }, "id", "must be a string of 1 to 512 characters"],
  [{ imp: undefined }, "imp", "is required"],
  [{ imp: [] }, "imp", "must not be empty"],
  [{ imp: [{ id: "1" }] }, "imp[0]", "must have at least one of banner, video, audio, native"],
  [{ imp: [banner(), banner("2"), banner()] }, "imp[2].id", "must be unique in the request"],
  [{ imp: [{ id: "1", banner: { w: "320", h: 50 } }] }, "imp[0].banner.w", "must be a positive integer"],
  [{ imp: [{ id: "1", banner: { w: 0, h: 50 } }] }, "imp[0].banner.w", "must be a positive integer"],
  [{ imp: [{ id: "1", video: {} }] }, "imp[0].video.mimes", "is required"],
  [
    { imp: [{ id: "1", video: { mimes: ["video/mp4"], minduration: 30, maxduration: 5 } }] },
    "imp[0].video.maxduration",
    "must not be less than minduration",
  ],
  [{ imp: [{ id: "1", native: {} }] }, "imp[0].native.request", "is required"],
  [{ imp: [{ id: "1", native: { request: "{" } }] }, "imp[0].native.request", "must be a native object as JSON text"],
  [
    { imp: [{ id: "1", native: { request: '{"assets":[{"id":1}]}' } }] },
    "imp[0].native.request",
    "native: assets[0] must have exactly one of title, img, video, data",
  ],
  [{ imp: [{ ...(banner() as object), bidfloor: -0.01 }] }, "imp[0].bidfloor", "must be a finite number of at least 0"],
  [
    { imp: [{ ...(banner() as object), bidfloor: Infinity }] },
    "imp[0].bidfloor",
    "must be a finite number of at least 0",
  ],
  [
    { imp: [{ ...(banner() as object), bidfloor: Number.NaN }] },
    "imp[0].bidfloor",
    "must be a finite number of at least 0",
  ],
  [{ tmax: 0 }, "tmax", "must be a positive integer"],
  [{ tmax: 99.5 }, "tmax", "must be a positive integer"],
  [{ cur: "USD" }, "cur", "must be an array"],
  [{ cur: ["dollars"] }, "cur[0]", "must be an ISO 4217 code such as USD"],
  [{ imp: [{ ...(banner() as object), metric: [{ value: 0.5 }] }] }, "imp[0].metric[0].type", "is required"],
  [{ imp: [{ ...(banner() as object), metric: [{ type: "viewability" }] }] }, "imp[0].metric[0].value", "is required"],
  [
    { imp: [{ id: "1", native: { request: { assets: [{ id: 1, img: {} }] } } }] },
    "imp[0].native.request",
    "must be a native object as JSON text",
  ],
  [{ site: { id: "s" } }, "app", "must not be combined with site"],
  [{ dooh: { id: "d" } }, "dooh", "must not be combined with app"],
  [{ app: undefined, site: {} }, "site", "must have at least one of id, page, domain, publisher"],
  [{ app: undefined, site: { id: "" } }, "site", "must have at least one of id, page, domain, publisher"],
  [{ app: undefined, dooh: {} }, "dooh", "must have at least one of id, venuetype, domain, publisher"],
  [{ imp: [{ id: "1", banner: {} }] }, "imp[0].banner", "must have w and h, or a format"],
  [{ imp: [{ id: "1", banner: { w: 320 } }] }, "imp[0].banner", "must have w and h, or a format"],
  [{ imp: [{ id: "1", banner: { format: [] } }] }, "imp[0].banner", "must have w and h, or a format"],
  [
    { imp: [{ id: "1", banner: { format: [{}] } }] },
    "imp[0].banner.format[0]",
    "must have either w and h, or wmin, wratio and hratio",
  ],
  [
    { imp: [{ id: "1", banner: { format: [{ w: 320, h: 50, wratio: 16, hratio: 9 }] } }] },
    "imp[0].banner.format[0]",
    "must have either w and h, or wmin, wratio and hratio",
  ],
  [{ imp: [{ id: "1", banner: { format: [{ w: 320 }] } }] }, "imp[0].banner.format[0].h", "is required"],
  [
    { imp: [{ id: "1", banner: { format: [{ wratio: 16, hratio: 9 }] } }] },
    "imp[0].banner.format[0].wmin",
    "is required",
  ],
  [{ regs: { ext: { gdpr: "1" } } }, "regs.ext.gdpr", "must be 0 or 1"],
  [{ regs: { ext: { us_privacy: 1 } } }, "regs.ext.us_privacy", "must be a string"],
  [{ regs: { ext: { gpp_sid: [null] } } }, "regs.ext.gpp_sid[0]", "must be an integer"],
  [{ user: { ext: { consent: 7 } } }, "user.ext.consent", "must be a string"],
  [{ user: { ext: { eids: {} } } }, "user.ext.eids", "must be an array"],
  [{ source: { ext: { schain: { nodes: [] } } } }, "source.ext.schain.complete", "is required"],
  [{ device: { geo: { lat: 90.1 } } }, "device.geo.lat", "must be from -90 to 90"],
  [{ device: { geo: { lon: -181 } } }, "device.geo.lon", "must be from -180 to 180"],
  [{ regs: { gdpr: 2 } }, "regs.gdpr", "must be 0 or 1"],
  [
    { source: { schain: { complete: 1, nodes: [{ asi: "a.example.com" }], ver: "1.0" } } },
    "source.schain.nodes[0].sid",
    "is required",
  ],
])("%j is refused with its field", (changes, path, message) => {
  expect(faultOf(small(changes))).toEqual({ path, message });
});

test("the length of ids and the number of imps are limited", () => {
  const long = { message: "must be a string of 1 to 512 characters" };
  expect(faultOf(small({ id: "x".repeat(513) }))).toEqual({ path: "id", ...long });
  expect(faultOf(small({ imp: [banner("x".repeat(513))] }))).toEqual({ path: "imp[0].id", ...long });
  expect(faultOf(small({ id: "x".repeat(512), imp: [banner("x".repeat(512))] }))).toBeNull();
  const imps = Array.from({ length: 101 }, (_, index) => banner(String(index)));
  expect(faultOf(small({ imp: imps }))).toEqual({ path: "imp", message: "must have at most 100 items" });
  expect(faultOf(small({ imp: imps.slice(1) }))).toBeNull();
});

test.each([
  { imp: [{ id: "1", banner: {}, instl: 1 }] },
  { imp: [{ id: "1", banner: { w: 320, h: 50 } }] },
  {
    imp: [
      {
        id: "1",
        banner: {
          format: [
            { wmin: 300, wratio: 16, hratio: 9 },
            { w: 320, h: 50 },
          ],
        },
      },
    ],
  },
  { regs: { ext: { gdpr: 1, gpp: "", gpp_sid: [7] } }, user: { ext: { consent: null, eids: [] } } },
  { app: undefined, dooh: { venuetype: ["airport"] } },
  { app: undefined, site: { publisher: { domain: "news.example" } } },
])("%j is valid", (changes) => {
  expect(faultOf(small(changes))).toBeNull();
});

test("site, app and dooh are recommended, not required", () => {
  expect(faultOf(small({ app: undefined }))).toBeNull();
});

test("a body that is not an object is refused", () => {
  for (const value of [null, undefined, 1, "x", [], true])
    expect(faultOf(value)).toEqual({ path: "", message: "must be an object" });
});

test("a price too large for a number is refused", () => {
  const body: unknown = JSON.parse('{"id":"r","app":{},"imp":[{"id":"1","banner":{},"bidfloor":1e309}]}');
  expect(faultOf(body)?.path).toBe("imp[0].bidfloor");
});

test("keys named __proto__ and constructor are plain data", () => {
  const body: unknown = JSON.parse(
    '{"id":"r","app":{},"imp":[{"id":"1","banner":{"w":1,"h":1},"__proto__":{"secure":9}}],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  );
  expect(faultOf(body)).toBeNull();
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(faultOf(JSON.parse('{"__proto__":{"id":"r","app":{},"imp":[]}}'))?.path).toBe("id");
});

test("an extension that nests too deep for a serialiser is refused", () => {
  const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  expect(faultOf(small({ ext: { deep: deep(50) } }))).toBeNull();
  expect(faultOf(small({ ext: { deep: deep(50_000) } }))?.path).toBe("ext");
  expect(faultOf(small({ odd: deep(50_000) }))?.path).toBe("odd");
  expect(faultOf(deep(50_000))?.path).toBe("");
});

function isReal({ path, message }: { path: string; message: string }, value: unknown): boolean {
  const place = steps(path);
  if (message !== "is required") return path === "" || at(value, place) !== undefined;
  return isObject(at(value, place.slice(0, -1))) && (at(value, place) ?? null) === null;
}

test("no JSON value throws, and the reported path exists or is a missing required field", () => {
  const mutated = fc
    .array(fc.tuple(fc.constantFrom(...standardPaths), fc.jsonValue({ maxDepth: 3 })), { minLength: 1, maxLength: 5 })
    .map((changes) => {
      const request = full();
      for (const [path, value] of changes) {
        const parent = at(request, path.slice(0, -1));
        if (typeof parent === "object" && parent !== null) put(request, path, value);
      }
      return request;
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.jsonValue()), (value) => {
      const before = JSON.stringify(value);
      const verdict = validateBidRequest(value);
      expect(JSON.stringify(value)).toBe(before);
      if (verdict.ok) expect(JSON.stringify(verdict.request)).toBe(JSON.stringify(withoutNulls(value)));
      expect(verdict.ok || isReal(verdict.error, value)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
