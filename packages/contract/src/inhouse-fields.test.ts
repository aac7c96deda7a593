import { expect, test } from "vitest";
import { InhouseBody, InhouseFields, inhouseForm, readInhouseForm } from "./inhouse-fields.ts";

const APP = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const fields = {
  title: "Try Tide",
  desc: "Our new puzzle, at 50% & free = yours",
  ad_app_id: APP,
  app_id: [OTHER],
  price: 1_500_000,
  geo_type: "in",
  country: ["DE"],
  ios: { all: true, min: "12", max: "26" },
  android: { all: false, min: "9", max: "16" },
  format: "image",
  target_url: "https://tide.example/?a=1&b=2",
  store_id: "com.example.tide",
  store_country: "US",
  image_l: "",
  image_p: "/files/a.png",
  video: "",
  video_orientation: "portrait",
  skip_timer: 10,
  interstitial_waterfall: true,
} as const;

function faultsOf(some: object): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, message } of InhouseBody.safeParse({ ...fields, ...some }).error?.issues ?? [])
    faults[path.join(".")] ??= message;
  return faults;
}

test("a form has the same fields after it was written and read", () => {
  const written = inhouseForm({ ...fields, app_id: [...fields.app_id], country: [...fields.country] }).toString();
  expect(InhouseBody.parse(readInhouseForm(written))).toEqual(fields);
  expect(InhouseFields.parse(readInhouseForm(written))).toEqual(fields);
});

test("an empty form says what is missing of each field", () => {
  const empty = { title: " ", desc: "", ad_app_id: "", app_id: [], target_url: "", store_id: "", store_country: "" };
  expect(faultsOf(empty)).toEqual({
    title: "This field is required",
    desc: "This field is required",
    ad_app_id: "This field is required",
    app_id: "Add at least 1 application",
    target_url: "Please enter a valid URL",
    store_id: "This field is required",
    store_country: "This field is required",
  });
});

test.each([
  ["no image", { image_p: "" }, { image_p: "At least 1 image is required" }],
  ["a video campaign without its video", { format: "video" }, { video: "This field is required" }],
  ["a reward campaign without its video", { format: "reward" }, { video: "This field is required" }],
  ["a short store id", { store_id: "tide" }, { store_id: "Please enter a valid ID" }],
  ["a long store id", { store_id: "t".repeat(101) }, { store_id: "Please enter a valid ID" }],
  ["a link that is none", { target_url: "javascript:alert(1)" }, { target_url: "Please enter a valid URL" }],
  ["only some countries, and none", { country: [] }, { country: "Choose at least one country" }],
  [
    "versions upside down",
    { android: { all: false, min: "9", max: "9" } },
    {
      "android.max": "Max version must be higher than min",
    },
  ],
])("%s is refused", (_, some, faults) => {
  expect(faultsOf(some)).toEqual(faults);
});

test.each([
  ["a price that is no number", "price=abc", "price"],
  ["a skip timer that is not offered", "skip_timer=7", "skip_timer"],
  ["a field that is not known", "__proto__=1&constructor.prototype=2", ""],
])("a form with %s is refused", (_, form, path) => {
  const issues = InhouseBody.safeParse(readInhouseForm(form)).error?.issues ?? [];
  expect(issues.map((issue) => issue.path.join("."))).toContain(path);
});
