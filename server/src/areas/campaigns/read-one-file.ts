import type { MultipartFile } from "@fastify/multipart";
import multipart from "@fastify/multipart";
import { MOST_IMAGE_BYTES, MOST_VIDEO_BYTES, type UploadKind } from "@millrace/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ReceivedFile, StoredFiles } from "../../platform/files/stored-files.ts";
import { Problem } from "../../platform/http/problem.ts";
import { cutOffIfSlow } from "../../platform/http/slow-bodies.ts";

/** Limits of the form: its fields are the file's name and the wanted format of the reply, which change nothing. */
const FORM_LIMITS = { files: 1, fields: 10, parts: 11, fieldSize: 1000, fieldNameSize: 100, headerPairs: 20 };

const MOST_BYTES = { image: MOST_IMAGE_BYTES, video: MOST_VIDEO_BYTES } as const satisfies Record<UploadKind, number>;
const WORDS = { image: "an image", video: "a video" } as const satisfies Record<UploadKind, string>;

/** The sentence for each way in which a form is refused, by the parser's code. */
const REFUSALS = new Map([
  ["FST_FILES_LIMIT", "Upload one file at a time"],
  ["FST_PARTS_LIMIT", "The form has too many fields"],
  ["FST_FIELDS_LIMIT", "The form has too many fields"],
  ["FST_PROTO_VIOLATION", "The form has a field that is not known"],
]);

/** Adds routes that take forms, in a scope of their own: no other call takes one. */
export function takeForms(app: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    await scope.register(multipart, { limits: FORM_LIMITS });
    routes(scope);
  });
}

/**
 * The content of a multipart form's only file, in memory. Problem `too_large` or `unprocessable` with the reason, for every
 * other form.
 */
export async function readOneFile(request: FastifyRequest, kind: UploadKind): Promise<Buffer> {
  const content = await cutOffIfSlow(request, () =>
    onlyFile(request, kind, { read: (part) => part.toBuffer(), drop: async () => undefined }),
  );
  if (content.length === 0) throw refused(EMPTY);
  return content;
}

/** The same on this machine's disk. */
export async function receiveOneFile(
  request: FastifyRequest,
  kind: UploadKind,
  files: Pick<StoredFiles, "receive">,
): Promise<ReceivedFile> {
  const received = await cutOffIfSlow(request, () =>
    onlyFile(request, kind, {
      read: ({ file }) => files.receive(file),
      drop: (file) => file.discard(),
    }),
  );
  if (received.bytes > 0) return received;
  await received.discard();
  throw refused(EMPTY);
}

async function onlyFile<T>(
  request: FastifyRequest,
  kind: UploadKind,
  { read, drop }: { read: (part: MultipartFile) => Promise<T>; drop: (content: T) => Promise<void> },
): Promise<T> {
  if (!request.isMultipart()) throw refused(`Send ${WORDS[kind]} as a file of a form`);
  // A client that is gone would be waited for: nothing more comes of its form, not even its end.
  if (request.raw.destroyed) throw refused(CUT_OFF);
  let content: { read: T } | undefined;
  try {
    for await (const part of request.parts({ limits: { ...FORM_LIMITS, fileSize: MOST_BYTES[kind] } })) {
      if (part.type === "file") content = { read: await read(part) };
    }
  } catch (error) {
    if (content) await drop(content.read);
    throw problemOf(error, kind);
  }
  if (!content) throw refused("Choose a file");
  return content.read;
}

function problemOf(error: unknown, kind: UploadKind): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLarge(kind);
  // Not the form's fault: the disk is full, for example.
  if (/^E[A-Z]+$/.test(code) && code !== "ECONNRESET") return error;
  // Anything else is a form that ends early or that cannot be parsed.
  return refused(REFUSALS.get(code) ?? CUT_OFF);
}

const CUT_OFF = "The upload was cut off. Please try again";
const EMPTY = "This file is empty";
const refused = (sentence: string) => new Problem("unprocessable", sentence);

export const tooLarge = (kind: UploadKind) =>
  new Problem("too_large", `Use ${WORDS[kind]} of at most ${MOST_BYTES[kind] / 1024 / 1024} MB`);
