import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeUpload } from "../../../testing/fake-upload.ts";
import { EDIT, SAVED, chosenFile, openAdd, openEdit, openEditor, press, save, somePng } from "../testing/open-form.tsx";
import { IMAGE } from "../testing/some-campaign.ts";

test("a creative is edited with Save and Cancel, and meanwhile none can be deleted", async () => {
  const { sent } = await openEdit({ [EDIT]: () => SAVED });
  const rows = () => screen.getAllByRole("row").slice(1);
  await userEvent.click(within(rows()[1]!).getByRole("button", { name: /^Edit/ }));
  for (const row of rows())
    expect(within(row).getByRole<HTMLButtonElement>("button", { name: /^Delete/ }).disabled).toBe(true);
  await screen.findByRole("group", { name: "Edit creative" });
  const editor = () => within(screen.getByRole("group", { name: "Edit creative" }));
  await userEvent.click(editor().getByRole("button", { name: "Cancel" }));
  expect(within(rows()[1]!).getByText("blocked")).toBeTruthy();

  await userEvent.click(within(rows()[1]!).getByRole("button", { name: /^Edit/ }));
  await userEvent.clear(editor().getByLabelText("Click URL"));
  await userEvent.type(editor().getByLabelText("Click URL"), "shop{Enter}");
  expect(editor().getByText("Please enter a valid URL")).toBeTruthy();
  // One that is too long is refused as it is, not cut.
  await userEvent.clear(editor().getByLabelText("Click URL"));
  await userEvent.paste(`https://shop.example/${"a".repeat(120)}`);
  expect(editor().getByLabelText<HTMLInputElement>("Click URL").value).toHaveLength(141);
  await userEvent.click(editor().getByRole("button", { name: "Save" }));
  expect(editor().getByText("Please enter a valid URL")).toBeTruthy();
  await save();
  expect(screen.getByText("Save or cancel the creative that is being edited")).toBeTruthy();
  await userEvent.clear(editor().getByLabelText("Click URL"));
  await userEvent.type(editor().getByLabelText("Click URL"), "https://shop.example/new");
  await userEvent.clear(editor().getByLabelText("Store id"));
  await userEvent.type(editor().getByLabelText("Store id"), "Tide!");
  await userEvent.click(editor().getByRole("button", { name: "Save" }));
  expect(editor().getByText("Please enter a valid ID")).toBeTruthy();
  await userEvent.clear(editor().getByLabelText("Store id"));
  await userEvent.type(editor().getByLabelText("Store id"), "com.example.new");
  await userEvent.click(editor().getByRole("button", { name: "Save" }));
  expect(within(rows()[1]!).getByText("edited")).toBeTruthy();
  expect(within(rows()[0]!).getByText("active")).toBeTruthy();

  await userEvent.click(within(rows()[0]!).getByRole("button", { name: /^Delete/ }));
  await save();
  await waitFor(() => expect(sent(EDIT)).toHaveLength(1));
  expect(sent(EDIT)[0]?.body).toMatchObject({
    creatives: [
      {
        c_id: "00000000-0000-4000-8000-000000000032",
        click_url: "https://shop.example/new",
        store_id: "com.example.new",
      },
    ],
  });
});

test("the store's country of a creative is chosen, shown, and checked again with the creative", async () => {
  const { sent } = await openEdit({ [EDIT]: () => SAVED });
  const [first] = screen.getAllByRole("row").slice(1);
  expect(within(first!).getByText(/^com\.example\.tide \(US\)/)).toBeTruthy();
  await userEvent.click(within(first!).getByRole("button", { name: /^Edit/ }));
  const editor = within(await screen.findByRole("group", { name: "Edit creative" }));
  const country = editor.getByLabelText<HTMLSelectElement>("Store country (optional)");
  expect(country.value).toBe("US");
  await userEvent.selectOptions(country, "Germany");
  await userEvent.click(editor.getByRole("button", { name: "Save" }));
  const [edited, other] = screen.getAllByRole("row").slice(1);
  expect(within(edited!).getByText(/^com\.example\.tide \(DE\)/)).toBeTruthy();
  expect(within(edited!).getByText("edited")).toBeTruthy();
  // Of one without a country, nothing is said.
  expect(within(other!).getByText(/^com\.example\.tide ·/)).toBeTruthy();
  await save();
  await waitFor(() => expect(sent(EDIT)).toHaveLength(1));
  expect(sent(EDIT)[0]?.body).toMatchObject({ creatives: [{ country: "DE" }, { country: "" }] });
});

test("an image is required, and the reasons of a refusal stand under the dropzone", async () => {
  const uploads = fakeUpload(() => ({ status: 422, body: { error: "The file is damaged" } }));
  await openAdd();
  await openEditor();
  await press("Add");
  expect(screen.getByText("This field is required")).toBeTruthy();
  await userEvent.upload(chosenFile(), new File(["a"], "a.bmp", { type: "image/bmp" }), { applyAccept: false });
  expect(await screen.findByText("a.bmp: only PNG, JPEG and GIF images can be uploaded")).toBeTruthy();
  expect(uploads).toEqual([]);
  await userEvent.upload(chosenFile(), somePng());
  expect(await screen.findByText("a.png: The file is damaged")).toBeTruthy();
});

test("of several dropped files the first is sent, and none without a file", async () => {
  const uploads = fakeUpload(() => ({ body: IMAGE }));
  await openAdd();
  await openEditor();
  const zone = chosenFile().parentElement!;
  fireEvent.drop(zone, { dataTransfer: { files: [] } });
  fireEvent.drop(zone, { dataTransfer: { files: [somePng("first.png"), somePng("second.png")] } });
  await screen.findByLabelText("Choose another image");
  expect(uploads.map(({ file }) => file.name)).toEqual(["first.png"]);
});

test("an upload shows its progress", async () => {
  fakeUpload(() => ({ body: IMAGE, sent: 0.4 }), new Promise(() => {}));
  await openAdd();
  await openEditor();
  await userEvent.upload(chosenFile(), somePng());
  const progress = await screen.findByRole<HTMLProgressElement>("progressbar", { name: "Uploading a.png" });
  await waitFor(() => expect(progress.value).toBeCloseTo(0.4));
});

test("a banner has the size of its place, and another size clears the uploaded one", async () => {
  fakeUpload(({ name }) => ({ body: { ...IMAGE, width: 300, height: name === "tall.png" ? 51 : 50 } }));
  await openAdd();
  await userEvent.click(screen.getByRole("radio", { name: "Banner" }));
  await openEditor();
  expect(screen.getByLabelText<HTMLSelectElement>("Banner size").value).toBe("300 × 50");
  await userEvent.upload(chosenFile(), somePng("tall.png"));
  expect(await screen.findByText("tall.png: This image has 300 × 51 pixels, and the banner 300 × 50")).toBeTruthy();
  await userEvent.upload(chosenFile(), somePng());
  await screen.findByLabelText("Choose another image");
  await userEvent.selectOptions(screen.getByLabelText("Banner size"), "320 × 50");
  expect(chosenFile()).toBeTruthy();
  expect(screen.queryByAltText("The uploaded creative")).toBeNull();
});

test("a video is uploaded, told about and shown, with its moment to skip", async () => {
  const video = { type: "video/quicktime", duration_ms: 15_000, bitrate_kbps: 900, codecs: "H.264", plays: false };
  const uploads = fakeUpload(() => ({ body: { ...IMAGE, url: "/files/a.mov", video } }));
  await openAdd();
  await userEvent.click(screen.getByRole("radio", { name: "Video" }));
  await openEditor();
  const file = screen.getByLabelText("Choose a video, or drop it here");
  await userEvent.upload(file, somePng(), { applyAccept: false });
  expect(await screen.findByText("a.png: only MP4, MOV and AVI videos can be uploaded")).toBeTruthy();
  await userEvent.upload(file, new File(["film"], "a.mov", { type: "video/quicktime" }));
  expect((await screen.findByLabelText<HTMLVideoElement>("The uploaded creative")).src).toContain("/files/a.mov");
  expect(screen.getByText("320 × 480 pixels, 15 s, H.264, 22 KB")).toBeTruthy();
  expect(screen.getByText(/^Only places that ask for video\/quicktime get this video/)).toBeTruthy();
  expect(uploads.map(({ path }) => path)).toEqual(["/campaign/upload?kind=video"]);
  expect(screen.getByLabelText<HTMLSelectElement>("Skip").value).toBe("5");
  await userEvent.selectOptions(screen.getByLabelText("Skip"), "No skip");
  await userEvent.type(screen.getByLabelText("Click URL"), "https://shop.example/");
  await userEvent.type(screen.getByLabelText("Store id"), "com.example.tide");
  await press("Add");
  expect(await screen.findByRole("button", { name: "Preview Video 320 × 480" })).toBeTruthy();
  expect(screen.getByLabelText<HTMLVideoElement>("The creative at https://shop.example/").src).toContain(
    "/files/a.mov",
  );
});
