import { grouped } from "#site/ui/format.ts";
import { commentBoxes, type CommentBox, type CommentCounts } from "#worker/comments/contract.ts";
import { BoxLinks } from "../box-links.tsx";
import { boxNames, LIST } from "./comment-boxes.ts";

type Props = { counts: CommentCounts; box: CommentBox | undefined };

/** The boxes with their counts. Unconfirmed comments are only counted, since their writers are unknown. */
export const Boxes = ({ counts, box }: Props) => (
  <BoxLinks
    boxes={commentBoxes.map((name) => ({
      to: name === "pending" ? LIST : `${LIST}?box=${name}`,
      label: boxNames[name],
      count: counts[name],
      isOpen: name === box,
    }))}
  >
    {counts.unconfirmed > 0 && (
      <span className="text-muted">{`${grouped(counts.unconfirmed)} not confirmed yet`}</span>
    )}
  </BoxLinks>
);
