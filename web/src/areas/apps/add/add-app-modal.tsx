import { useState } from "react";
import { Modal } from "../../../ui/modal/modal.tsx";
import { type Tab, Tabs } from "../../../ui/tabs/tabs.tsx";
import classes from "./add.module.css";
import { DevelopmentTab } from "./development-tab.tsx";
import { PublishedTab } from "./published-tab.tsx";
import { SampleTab } from "./sample-tab.tsx";

type Way = "published" | "development" | "sample";

interface AddAppModalProps {
  opened: boolean;
  /** The account has no app yet: samples are offered, and a click outside does not close the dialog. */
  isNew: boolean;
  onClose: () => void;
}

/** The ways to add an app. */
export function AddAppModal({ opened, isNew, onClose }: AddAppModalProps) {
  const [way, setWay] = useState<Way>("published");
  const tabs: Tab<Way>[] = [
    {
      id: "published",
      label: <Step number="01" words="Already Published" />,
      content: <PublishedTab onAdded={onClose} />,
    },
    {
      id: "development",
      label: <Step number="02" words="In development (Alt markets)" />,
      content: <DevelopmentTab onAdded={onClose} />,
    },
  ];
  if (isNew) {
    const label = <Step number="03" words="Take a look (demo)" />;
    tabs.push({ id: "sample", label, content: <SampleTab onAdded={onClose} /> });
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Add New App" width={620} overlayCloses={!isNew}>
      <Tabs
        label="Ways to add an app"
        tabs={tabs}
        chosen={tabs.some(({ id }) => id === way) ? way : "published"}
        onChoose={setWay}
      />
    </Modal>
  );
}

const Step = ({ number, words }: { number: string; words: string }) => (
  <>
    <span className={classes.number}>{number}</span> {words}
  </>
);
