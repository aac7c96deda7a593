import { type Call, ErrorReply, type QueryInput, type Reply, TEXTS } from "@millrace/contract";
import { ApiError, addressOf, ownHeaders } from "./call-api.ts";

interface Upload<C extends Call> {
  file: File;
  query?: QueryInput<C>;
  /** Called with the sent share, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
  /** The form's other fields. */
  fields?: Readonly<Record<string, string>>;
}

/**
 * Sends a file as multipart form data in its field `file`, and returns the call's validated reply. By XMLHttpRequest, because
 * fetch does not report progress. Throws only ApiError or an abort.
 */
export function uploadFile<C extends Call>(
  call: C,
  { file, query, onProgress, signal, fields = {} }: Upload<C>,
): Promise<Reply<C>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file, file.name);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const fail = (status: number, error: string | Record<string, string> = TEXTS.requestFailed) =>
      reject(new ApiError(status, error));
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status < 200 || request.status >= 300) {
        const failure = ErrorReply.safeParse(answer);
        fail(request.status, failure.success ? failure.data.error : undefined);
        return;
      }
      const reply = call.reply.safeParse(answer);
      if (reply.success) resolve(reply.data as Reply<C>);
      else fail(request.status);
    });
    request.addEventListener("error", () => fail(0));
    request.addEventListener("abort", () => reject(signal.reason as Error));
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    signal.addEventListener("abort", () => request.abort());
    request.open(call.method, addressOf(call, {}, query ?? {}));
    request.setRequestHeader("accept", "application/json");
    for (const [name, value] of Object.entries(ownHeaders(call))) request.setRequestHeader(name, value);
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
