import { Link } from "#site/document/link.tsx";
import { commentBoxes, type CommentBox, type CommentCounts } from "#worker/comments/contract.ts";
import { boxNames, LIST } from "./names.ts";

type Props = { counts: CommentCounts; box: CommentBox | undefined };

/** The boxes with how many comments lie in each. Unconfirmed ones are only counted: nobody knows who wrote them. */
export const Boxes = ({ counts, box }: Props) => (
  <nav aria-label="Boxes" className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-1 text-sm tabular-nums">
    {commentBoxes.map((name) => (
      <Link
        key={name}
        to={name === "pending" ? LIST : `${LIST}?box=${name}`}
        aria-current={name === box ? "page" : undefined}
        className={linkClass(name === box)}
      >
        {`${boxNames[name]} ${counts[name].toLocaleString("en")}`}
      </Link>
    ))}
    {counts.unconfirmed > 0 && (
      <span className="text-muted">{`${counts.unconfirmed.toLocaleString("en")} not confirmed yet`}</span>
    )}
  </nav>
);

const linkClass = (isOpen: boolean) =>
  `inline-flex min-h-8 items-center whitespace-nowrap underline-offset-8 ${isOpen ? "font-semibold underline" : "text-muted hover:text-ink"}`;
