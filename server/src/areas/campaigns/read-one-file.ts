import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/http/problem.ts";
import { tooLarge } from "./upload-image.ts";

/** Limits of the form: its fields are the file's name and the wanted format of the reply, which change nothing. */
export const FORM_LIMITS = { files: 1, fields: 10, parts: 11, fieldSize: 1000, fieldNameSize: 100, headerPairs: 20 };

/** The sentence for each way in which a form is refused, by the parser's code. */
const REFUSALS = new Map([
  ["FST_FILES_LIMIT", "Upload one file at a time"],
  ["FST_PARTS_LIMIT", "The form has too many fields"],
  ["FST_FIELDS_LIMIT", "The form has too many fields"],
  ["FST_PROTO_VIOLATION", "The form has a field that is not known"],
]);

/**
 * The content of a multipart form's only file. Problem `too_large` or `unprocessable` with the reason, for every other
 * form.
 */
export async function readOneFile(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw refused("Send the image as a file of a form");
  let content: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === "file") content = await part.toBuffer();
    }
  } catch (error) {
    throw problemOf(error);
  }
  if (!content) throw refused("Choose a file");
  if (content.length === 0) throw refused("This file is empty");
  return content;
}

function problemOf(error: unknown): Problem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLarge();
  // Anything else is a form that ends early or that cannot be parsed.
  return refused(REFUSALS.get(code) ?? "The upload was cut off. Please try again");
}

const refused = (sentence: string) => new Problem("unprocessable", sentence);
