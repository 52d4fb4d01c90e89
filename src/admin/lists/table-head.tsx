import type { ComponentProps } from "react";
import { cx } from "#site/ui/cx.ts";

/** A column's name. `unseen` is only for screen readers; `figures` aligns with numbers. */
type Column = string | { unseen: string } | { figures: string };

const widths = { sm: "max-sm:sr-only", md: "max-md:sr-only", lg: "max-lg:sr-only" };

type TableHeadProps = {
  columns: readonly Column[];
  /** The width below which rows become cards, and the names are only for screen readers. */
  cardsBelow: keyof typeof widths;
};

export const TableHead = ({ columns, cardsBelow }: TableHeadProps) => (
  <thead className={cx("border-b border-edge text-sm text-muted", widths[cardsBelow])}>
    <tr className="*:py-2 *:pr-4 *:font-normal *:last:pr-0">
      {columns.map((column) => {
        if (typeof column === "string") return <Name key={column}>{column}</Name>;
        if ("figures" in column) {
          return (
            <Name key={column.figures} className="text-right">
              {column.figures}
            </Name>
          );
        }
        return (
          <Name key={column.unseen}>
            <span className="sr-only">{column.unseen}</span>
          </Name>
        );
      })}
    </tr>
  </thead>
);

const Name = (props: ComponentProps<"th">) => <th scope="col" {...props} />;

/** The last column of most tables. */
export const ACTIONS = { unseen: "Actions" };
