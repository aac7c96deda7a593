import { afterEach, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

type Answer = (file: File) => { status?: number; body: unknown; sent?: number };

/** A request that a page made with a file. */
interface SentFile {
  method: string;
  path: string;
  file: File;
}

/**
 * Stands in for XMLHttpRequest: reports the progress `sent`, if given, and then answers once `release` is called, or at once
 * without it. A status of 0 is a lost connection. Returns the requests.
 */
export function fakeUpload(answer: Answer, release: Promise<void> = Promise.resolve()): SentFile[] {
  const requests: SentFile[] = [];
  class FakeRequest extends EventTarget {
    upload = new EventTarget();
    status = 0;
    responseText = "";
    #address = { method: "", path: "" };
    #isAborted = false;
    open(method: string, path: string) {
      this.#address = { method, path };
    }
    setRequestHeader() {}
    abort() {
      this.#isAborted = true;
      this.dispatchEvent(new Event("abort"));
    }
    send(form: FormData) {
      void this.#answer(form.get("file") as File);
    }
    async #answer(file: File) {
      requests.push({ ...this.#address, file });
      const { status = 200, body, sent } = answer(file);
      if (sent !== undefined)
        this.upload.dispatchEvent(
          new ProgressEvent("progress", { lengthComputable: true, loaded: sent * 100, total: 100 }),
        );
      await release;
      if (this.#isAborted) return;
      this.status = status;
      this.responseText = typeof body === "string" ? body : JSON.stringify(body);
      this.dispatchEvent(new Event(status === 0 ? "error" : "load"));
    }
  }
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  return requests;
}
