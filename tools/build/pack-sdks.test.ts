import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SDK_VERSION } from "@millrace/contract";
import { capacitorSnippet } from "@millrace/capacitor/snippet";
import { reactSnippet } from "@millrace/react/snippet";
import { reactNativeSnippet } from "@millrace/react-native/snippet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../gates/run-command.ts";
import { packSdks } from "./pack-sdks.ts";
import { tar } from "./tar.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const facts = { key: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", publicUrl: "https://ads.example.com" };
const run = promisify(execFile);
let app = "";

/** An app with the packages installed, and what they expect beside them. */
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "millrace-app-"));
  await packSdks(root, app);
  for (const name of ["react", "react-native", "capacitor"]) {
    const folder = join(app, "node_modules/@millrace", name);
    await mkdir(folder, { recursive: true });
    await run("tar", ["-xzf", join(app, `${name}.tgz`), "-C", folder, "--strip-components=1"]);
  }
  for (const name of ["react", "react-dom", "@types/react", "@types/react-dom", "csstype", "@capacitor/core"]) {
    await mkdir(dirname(join(app, "node_modules", name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(app, "node_modules", name));
  }
}, 240_000);
afterAll(() => rm(app, { recursive: true }));

test("the snippets compile against the packages that the platform serves, whose types need nothing else", async () => {
  const snippets = {
    "capacitor.ts": capacitorSnippet(facts),
    "react.tsx": reactSnippet(facts),
    "native.tsx": reactNativeSnippet(facts),
    "native.d.ts": NATIVE,
  };
  for (const [file, text] of Object.entries(snippets)) await writeFile(join(app, file), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "ESNext",
    moduleResolution: "bundler",
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    jsx: "react-jsx",
    types: [],
    noEmit: true,
    // The packages' declarations are checked as well.
    skipLibCheck: false,
  };
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(snippets) }));
  const { code, stdout } = await runCommand("tsc", ["-p", "."], app);
  expect([code, stdout]).toEqual([0, ""]);
});

/** The shapes of React Native 0.82's modules, as far as the snippet uses them. */
const NATIVE = `declare module "react-native" {
  import { Component, ReactNode } from "react";
  export const AppState: {
    currentState: "active" | "background" | "inactive" | "unknown" | "extension";
    addEventListener(type: "change" | "blur", listener: (state: "active" | "background" | "inactive" | "unknown" | "extension") => void): { remove(): void };
  };
  export const BackHandler: {
    exitApp(): void;
    addEventListener(name: "hardwareBackPress", handler: () => boolean | null | undefined): { remove(): void };
  };
  export class Dimensions {
    static get(dimension: "window" | "screen"): { width: number; height: number; scale: number; fontScale: number };
  }
  export const Linking: { openURL(url: string): Promise<void> };
  export const Platform: { OS: "ios"; Version: string; isTV: boolean } | { OS: "android"; Version: number; isTV: boolean };
  export class View extends Component<{ style?: { flex?: number } | null | undefined; pointerEvents?: "auto" | "none" | "box-none" | undefined; children?: ReactNode }> {}
  export class Button extends Component<{ title: string; onPress?: (() => void) | undefined }> {}
}
declare module "react-native-webview" {
  import { Component } from "react";
  export class WebView<P = {}> extends Component<{ source?: { html: string; baseUrl?: string | undefined } | undefined } & P> {}
}
declare module "@react-native-async-storage/async-storage" {
  const AsyncStorage: {
    getAllKeys(): Promise<readonly string[]>;
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default AsyncStorage;
}`;

test("a package has the SDK's version and licence, and depends on its peers alone", async () => {
  const manifest = JSON.parse(await readFile(join(app, "node_modules/@millrace/react/package.json"), "utf8")) as object;
  expect(manifest).toMatchObject({ name: "@millrace/react", version: SDK_VERSION, license: "Apache-2.0" });
  expect(manifest).not.toHaveProperty("private");
  expect(manifest).not.toHaveProperty("dependencies");
  expect(await readFile(join(app, "node_modules/@millrace/react/index.js"), "utf8")).toMatch(/^"use client";/);
});

test("a tool that does not know exports finds each package's module and its types", async () => {
  for (const name of ["react", "react-native", "capacitor"]) {
    const folder = join(app, "node_modules/@millrace", name);
    const { main, types } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Record<string, string>;
    expect(await readFile(join(folder, main ?? ""), "utf8")).toContain("export");
    expect(await readFile(join(folder, types ?? ""), "utf8")).toContain("export");
  }
});

test("equal files make equal archives, and a path that does not fit is refused", () => {
  const entries = [{ path: "package/a.txt", text: "ä".repeat(600) }];
  expect(tar(entries)).toEqual(tar(entries));
  expect(() => tar([{ path: "x".repeat(101), text: "" }])).toThrow("longer than a tar archive takes");
});
