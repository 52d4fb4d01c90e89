import { useRouteLoaderData } from "react-router";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryCounts } from "#worker/enquiries/owner/contract.ts";
import { BoxLinks } from "./box-links.tsx";
import { boxAddress, boxes, tabsOf, type BoxName } from "./enquiry-kinds.ts";

type Props = { kind: EnquiryKind; box: BoxName };

/** Boxes that are not part of "all". */
const APART: BoxName[] = ["spam", "unconfirmed", "all"];

/** The boxes of a list of enquiries. */
export function BoxTabs({ kind, box }: Props) {
  const counts = useRouteLoaderData<EnquiryCounts>("admin/guests/tab")?.[kind] ?? {};
  const listed = tabsOf[kind].filter((name) => !APART.includes(name));
  const countOf = (name: BoxName): number =>
    name === "all" ? listed.reduce((sum, one) => sum + countOf(one), 0) : (counts[name] ?? 0);
  const shown = tabsOf[kind].filter((name) => name !== "unconfirmed" || name === box || countOf(name) > 0);
  return (
    <BoxLinks
      boxes={shown.map((name) => ({
        to: boxAddress(kind, name),
        label: boxes[name].label,
        count: countOf(name),
        isOpen: name === box,
      }))}
    />
  );
}
