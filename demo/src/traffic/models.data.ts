import type { Platform } from "@millrace/contract";

/** A device model: the facts that it reports, and its user agent. */
export interface Model {
  os: string;
  versions: readonly string[];
  make: string;
  model: string;
  /** The screen's size in device-independent pixels. */
  w: number;
  h: number;
  pxratio: number;
  userAgent: (version: string) => string;
}

const webView = (model: string) => (version: string) =>
  `Mozilla/5.0 (Linux; Android ${version}; ${model} Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36`;
const phone = (make: string, model: string, w: number, h: number, pxratio: number): Model => ({
  os: "Android",
  versions: ["12", "13", "14", "14", "15"],
  make,
  model,
  w,
  h,
  pxratio,
  userAgent: webView(model),
});

const iphone = (model: string, w: number, h: number, pxratio: number): Model => ({
  os: "iOS",
  versions: ["16.7", "17.5", "17.6", "18.1", "18.3"],
  make: "Apple",
  model,
  w,
  h,
  pxratio,
  userAgent: (version) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${version.replace(".", "_")} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`,
});

const tablet = (model: string, w: number, h: number): Model => ({
  os: "Android",
  versions: ["9", "11"],
  make: "Amazon",
  model,
  w,
  h,
  pxratio: 1.5,
  userAgent: (version) =>
    `Mozilla/5.0 (Linux; Android ${version}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Silk/122.5.1 like Chrome/122.0.6261.119 Safari/537.36`,
});

const screen = (
  os: string,
  versions: readonly string[],
  make: string,
  model: string,
  userAgent: Model["userAgent"],
) => ({
  os,
  versions,
  make,
  model,
  w: 1920,
  h: 1080,
  pxratio: 1,
  userAgent,
});

const androidTv = (make: string, model: string) =>
  screen(
    "Android",
    ["11", "12", "14"],
    make,
    model,
    (version) =>
      `Mozilla/5.0 (Linux; Android ${version}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.230 Safari/537.36 TV`,
  );
const fireTv = (model: string) =>
  screen(
    "Fire OS",
    ["6", "7", "8"],
    "Amazon",
    model,
    (version) =>
      `Mozilla/5.0 (Linux; Android ${Number(version) + 3}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.5993.111 Mobile Safari/537.36`,
  );

export const MODELS: Record<Platform, readonly Model[]> = {
  android: [
    phone("Samsung", "SM-S921B", 360, 780, 3),
    phone("Samsung", "SM-A546B", 412, 892, 2.625),
    phone("Google", "Pixel 8", 412, 915, 2.625),
    phone("Xiaomi", "23053RN02Y", 393, 873, 2.75),
    phone("OPPO", "CPH2591", 360, 800, 2),
    phone("motorola", "moto g54 5G", 412, 915, 2.625),
  ],
  ios: [
    iphone("iPhone14,7", 390, 844, 3),
    iphone("iPhone15,4", 393, 852, 3),
    iphone("iPhone16,1", 393, 852, 3),
    iphone("iPhone12,8", 375, 667, 2),
  ],
  amazon: [tablet("KFTRWI", 800, 1280), tablet("KFRAWI", 600, 1024)],
  androidtv: [androidTv("Sony", "BRAVIA VU31"), androidTv("Google", "Chromecast"), androidTv("TCL", "Smart TV Pro")],
  tvos: [
    screen(
      "tvOS",
      ["17.5", "18.1"],
      "Apple",
      "AppleTV14,1",
      (version) =>
        `AppleCoreMedia/1.0.0.21L569 (Apple TV; U; CPU OS ${version.replace(".", "_")} like Mac OS X; en_us)`,
    ),
  ],
  firetv: [fireTv("AFTKA"), fireTv("AFTSSS"), fireTv("AFTR")],
  tizentv: [
    screen(
      "Tizen",
      ["6.0", "7.0", "8.0"],
      "Samsung",
      "QN55Q60C",
      (version) =>
        `Mozilla/5.0 (SMART-TV; LINUX; Tizen ${version}) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/${version} TV Safari/537.36`,
    ),
  ],
  roku: [
    screen(
      "Roku",
      ["12.5", "13.0", "14.0"],
      "Roku",
      "4802X",
      (version) => `Roku/DVP-${version} (${version}.0.4193-55)`,
    ),
  ],
  others: [
    screen(
      "Linux",
      ["6.1"],
      "Generic",
      "Box",
      () => "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
    ),
  ],
};
