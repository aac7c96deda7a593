import { PAGER_MARGIN_PAGES, PAGER_RANGE_PAGES, type Pager as PagerReply } from "@millrace/contract";
import { Pager } from "../ui/pager/pager.tsx";

interface ListPagerProps {
  /** As calls answer it: pages are counted from 1. */
  pager: Pick<PagerReply, "current_page" | "last_page">;
  /** Given the chosen page, counted from 0 as in addresses. */
  onPage: (p: number) => void;
}

/** The pages of a list that a call answers page by page. */
export const ListPager = ({ pager, onPage }: ListPagerProps) => (
  <Pager
    current={pager.current_page - 1}
    count={pager.last_page}
    marginPages={PAGER_MARGIN_PAGES}
    rangePages={PAGER_RANGE_PAGES}
    onPage={onPage}
  />
);
