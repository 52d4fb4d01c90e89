import type { ReactNode } from "react";
import { ButtonRow } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import { BinLink } from "../lists/bin-link.tsx";
import { ListFilters, ListPages } from "../lists/list-filters.tsx";
import { DownloadButton } from "../shell/download-button.tsx";
import { BoxTabs } from "./box-tabs.tsx";
import { boxAddress, kinds, tabsOf, type BoxName } from "./enquiry-kinds.ts";
import { Rows } from "./rows.tsx";

type Props = {
  kind: EnquiryKind;
  box: BoxName;
  q?: string;
  before?: string;
  next: string | null;
  items: EnquirySummary[];
  /** A button of the whole list, after its export. */
  action?: ReactNode;
  /** The rows, each a list item. */
  children: ReactNode[];
};

/** The page of one kind around its rows: tabs, search, export and pages. */
export function ListFrame({ kind, box, q, before, next, items, action, children }: Props) {
  const { title, noun, api } = kinds[kind];
  const within = box === tabsOf[kind][0] ? undefined : { box };
  const query = { ...within, ...(q && { q }), ...(before && { before }) };
  const version = items.map((item) => `${item.id} ${item.box}`).join();
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">{title}</h1>
        <ButtonRow>
          <DownloadButton to={`/api/admin/${api}/export`}>Export CSV</DownloadButton>
          {action}
        </ButtonRow>
      </header>
      <BoxTabs kind={kind} box={box} />
      <ListFilters path={boxAddress(kind, box)} filters={q ? { q } : {}} within={within} />
      <Rows
        version={version}
        empty={<Nothing kind={kind} box={box} isSearch={q !== undefined} isMore={next !== null} />}
      >
        {children}
      </Rows>
      <ListPages path={kinds[kind].list} query={query} count={items.length} next={next} noun={noun} />
      <BinLink />
    </>
  );
}

type NothingProps = { kind: EnquiryKind; box: BoxName; isSearch: boolean; isMore: boolean };

function Nothing({ kind, box, isSearch, isMore }: NothingProps) {
  const { noun, empty } = kinds[kind];
  if (isMore) {
    return (
      <EmptyState title="None among these">
        Look through older <span>{noun}</span>, or type more of the name, address or title.
      </EmptyState>
    );
  }
  if (isSearch) return <EmptyState title={empty}>Try another part of the name, address or title.</EmptyState>;
  return <EmptyState title={empty}>{hints[box]}</EmptyState>;
}

const hints: Partial<Record<BoxName, string>> = {
  all: "Anything visitors send with the form appears here.",
  new: "Anything visitors send with the form appears here.",
  pending: "Nothing needs an answer.",
  spam: "Submissions that look automated, have too many links, or contain a word from the list in Settings stay here for 30 days.",
};
