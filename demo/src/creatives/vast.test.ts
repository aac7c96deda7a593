import { checkVast } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { SUBJECTS } from "./subjects.data.ts";
import { vastXml } from "./vast.ts";

test("the VAST of each subject, as video and audio, with and without a skip button, is valid", () => {
  for (const subject of SUBJECTS) {
    for (const kind of ["video", "audio"] as const) {
      for (const skip of [{}, { skipAfterSeconds: 5 }]) {
        const made = vastXml({
          servingId: "auction-1-lab",
          subject,
          kind,
          mediaUrl: "https://lab.example/media/a.mp4",
          clickUrl: "https://lab.example/landing/a?b=1&c=2",
          impressionUrl: "https://lab.example/notice/impression/lab",
          errorUrl: "https://lab.example/notice/error/lab?code=[ERRORCODE]",
          seconds: 15,
          width: 640,
          height: 360,
          ...skip,
        });
        expect(checkVast(made)).toEqual([]);
      }
    }
  }
});
