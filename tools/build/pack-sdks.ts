import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { runCommand } from "../gates/run-command.ts";
import { tar } from "./tar.ts";

/** The packages that apps install from the platform: `npm install https://ads.example.com/sdk/react.tgz`. */
const PACKAGES = new Map<string, { exports: readonly string[]; banner?: string }>([
  // Frameworks that render on servers leave modules with this line to the browser.
  ["react", { exports: ["."], banner: '"use client";' }],
  ["capacitor", { exports: ["."] }],
  ["react-native", { exports: [".", "./mock"] }],
]);

interface Manifest {
  name: string;
  version: string;
  license: string;
  exports: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, object>;
}

/** By path below `packages`, the compiler's declarations, such as `sdk-react/src/index.d.ts`. */
type Declarations = ReadonlyMap<string, string>;

/**
 * Writes each package as `<name>.tgz` into `outDir`: one module for each of its exports with the SDK inside, the types, and the
 * README. Packages depend on nothing but their peers.
 */
export async function packSdks(root: string, outDir: string): Promise<void> {
  const declarations = await declare(root);
  await mkdir(outDir, { recursive: true });
  await Promise.all([...PACKAGES.keys()].map((name) => pack(root, name, declarations, join(outDir, `${name}.tgz`))));
}

async function pack(root: string, name: string, declarations: Declarations, file: string): Promise<void> {
  const folder = join(root, "packages", `sdk-${name}`);
  const manifest = await manifestOf(folder);
  const { exports: sources, peerDependencies = {} } = manifest;
  const { exports: paths, banner = "" } = PACKAGES.get(name) ?? { exports: [] };
  const modules = paths.map((path) => ({
    path,
    source: sources[path] ?? "",
    file: `${path === "." ? "index" : path.slice("./".length)}.js`,
  }));
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(
      modules.map(({ source, file }) => [file.slice(0, -".js".length), join(folder, source)]),
    ),
    outdir: "/",
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    external: Object.keys(peerDependencies).flatMap((peer) => [peer, `${peer}/*`]),
    banner: { js: banner },
    legalComments: "none",
    logLevel: "error",
  });
  const typesOf = (source: string) => `sdk-${name}/${source.slice("./".length).replace(/tsx?$/, "d.ts")}`;
  const types = reachable(
    declarations,
    modules.map(({ source }) => typesOf(source)),
    await namesOf(root),
  );
  const shipped = {
    ...manifest,
    private: undefined,
    // Compilers and bundlers of before `exports` read these.
    main: "./index.js",
    types: `./types/${typesOf(sources["."] ?? "")}`,
    exports: Object.fromEntries(
      modules.map(({ path, source, file }) => [path, { types: `./types/${typesOf(source)}`, default: `./${file}` }]),
    ),
  };
  const texts = [
    ["package.json", `${JSON.stringify(shipped, null, 2)}\n`],
    ["README.md", await readFile(join(folder, "README.md"), "utf8")],
    ...outputFiles.map(({ path, text }) => [path.slice(1), text]),
    ...[...types].map(([path, text]) => [`types/${path}`, text]),
  ] as const;
  await writeFile(file, gzipSync(tar(texts.map(([path = "", text = ""]) => ({ path: `package/${path}`, text })))));
}

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;

/** The sources of everything that the packages import from this project by name, relative to `packages`. */
async function namesOf(root: string): Promise<Map<string, string>> {
  const names = new Map([["@millrace/contract", CONTRACT]]);
  for (const folder of ["sdk", ...[...PACKAGES.keys()].map((name) => `sdk-${name}`)]) {
    const { name, exports: entries } = await manifestOf(join(root, "packages", folder));
    for (const [path, source] of Object.entries(entries)) names.set(join(name, path), join(folder, source));
  }
  return names;
}

const CONTRACT = "../tools/build/contract-types.ts";

/** Compiles the declarations of all packages in one go. Throws with the compiler's messages. */
async function declare(root: string): Promise<Declarations> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-types-"));
  try {
    const names = await namesOf(root);
    names.delete("@millrace/contract");
    const config = {
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: folder,
        rootDir: root,
        lib: ["ES2023", "DOM", "DOM.Iterable"],
        jsx: "react-jsx",
        // The compiler declares nothing for modules that it finds in node_modules, so that names lead to the sources.
        paths: Object.fromEntries([...names].map(([name, source]) => [name, [join(root, "packages", source)]])),
      },
      files: [
        join(root, "packages", CONTRACT),
        ...[...names.values()].filter((path) => path.startsWith("sdk-")).map((path) => join(root, "packages", path)),
      ],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand("tsc", ["-p", join(folder, "tsconfig.json")], root);
    if (code !== 0) throw new Error(stdout + stderr);
    const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".d.ts"));
    return new Map(
      await Promise.all(
        files.map(async (path) => [relative("packages", path), await readFile(join(folder, path), "utf8")] as const),
      ),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

const SPECIFIER = /((?:from |import\()")([^"]+)(")/g;

/** The declarations that these entries lead to, with each import as a path. */
function reachable(
  all: Declarations,
  entries: readonly string[],
  names: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = new Map<string, string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(shippedPath(path))) continue;
    const from = path;
    const text = all.get(from);
    if (text === undefined) throw new Error(`the compiler has declared nothing for ${from}`);
    found.set(
      shippedPath(from),
      text.replaceAll(SPECIFIER, (whole, before: string, specifier: string, after: string) => {
        const named = names.get(specifier);
        if (named === undefined && !specifier.startsWith(".")) return whole;
        const target = (named ?? join(dirname(from), specifier)).replace(/\.tsx?$/, ".d.ts");
        open.push(target);
        const to = relative(dirname(shippedPath(from)), shippedPath(target)).replace(/\.d\.ts$/, ".js");
        return `${before}${to.startsWith(".") ? to : `./${to}`}${after}`;
      }),
    );
  }
  return found;
}

const shippedPath = (path: string) => path.replace(/^\.\.\/tools\/build\//, "sdk/");
