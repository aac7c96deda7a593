import { Program } from "brighterscript";

/** Sources by their path in the channel, such as `components/millrace/core/sdk.bs`. */
export type Sources = ReadonlyMap<string, string>;

const BSLIB = /\n.*pkg:\/source\/bslib\.brs.*(?=\n)/;

/**
 * Checks the sources of a channel and compiles BrighterScript to BrightScript; other files stay as they are. Throws with every
 * diagnostic of the compiler, warnings included.
 */
export async function compileRoku(sources: Sources): Promise<Map<string, string>> {
  // The folder does not exist: all files are in memory.
  const program = new Program({ rootDir: "/channel", logLevel: "error", diagnosticLevel: "hint" });
  try {
    for (const [path, text] of sources) if (isCompiled(path)) program.setFile(path, text);
    program.validate();
    const wrong = program.getDiagnostics().map(({ file, range, code, message }) => {
      const line = range === undefined ? "" : `:${range.start.line + 1}`;
      return `${file.pkgPath}${line} ${code} ${typeof message === "string" ? message : message.value}`;
    });
    if (wrong.length > 0) throw new Error(`The channel does not compile:\n${wrong.join("\n")}`);
    const compiled = new Map<string, string>();
    for (const [path, text] of sources) {
      const code = isCompiled(path) ? (await program.getTranspiledFileContents(path)).code : text;
      compiled.set(path.replace(/\.bs$/, ".brs"), path.endsWith(".xml") ? withoutBslib(code) : code);
    }
    return compiled;
  } finally {
    program.dispose();
  }
}

const isCompiled = (path: string) => /\.(?:brs|bs|xml)$/.test(path);

/** The compiler names its library in every component. The SDK's code does not call it, and so does not bring it along. */
const withoutBslib = (xml: string) => xml.replace(BSLIB, "");
