import { uploadCreative } from "@millrace/contract";
import { expect, test } from "vitest";
import { fakeUpload } from "../testing/fake-upload.ts";
import { uploadFile } from "./upload-file.ts";

const IMAGE = { url: "/files/a.png", size: 3, width: 320, height: 50, video: null };
const file = new File(["abc"], "a.png", { type: "image/png" });
const send = (onProgress: (share: number) => void = () => {}, signal = new AbortController().signal) =>
  uploadFile(uploadCreative, { file, onProgress, signal });

test("a file is sent in one field, its progress is told, and the reply is checked", async () => {
  const requests = fakeUpload(() => ({ body: IMAGE, sent: 0.4 }));
  const shares: number[] = [];
  expect(await send((share) => shares.push(share))).toEqual(IMAGE);
  expect(requests.map(({ method, path, file: { name } }) => [method, path, name])).toEqual([
    ["POST", "/campaign/upload", "a.png"],
  ]);
  expect(shares).toEqual([0.4]);
});

test.each([
  [{ status: 422, body: { error: "This is not an image" } }, 422, "This is not an image"],
  [{ status: 502, body: "<html>" }, 502, "There was an error with your request, please try again"],
  [{ status: 200, body: { url: 1 } }, 200, "There was an error with your request, please try again"],
  [{ status: 0, body: "" }, 0, "There was an error with your request, please try again"],
])("a failed upload %j says why", async (answer, status, message) => {
  fakeUpload(() => answer);
  await expect(send()).rejects.toMatchObject({ name: "ApiError", status, message });
});

test("an upload that is left ends", async () => {
  fakeUpload(() => ({ body: IMAGE }), new Promise(() => {}));
  const leaving = new AbortController();
  const sent = send(() => {}, leaving.signal);
  leaving.abort();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
});
