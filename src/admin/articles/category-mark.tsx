import type { Category } from "#worker/articles/contract.ts";

/** A category's name with a mark in its colour. */
export const CategoryMark = ({
  category: { name, color },
}: {
  category: Pick<Category, "name" | "color">;
}) => (
  <>
    <span
      aria-hidden
      className="mr-2 inline-block size-2.5 outline outline-edge"
      style={{ background: color }}
    />
    <span>{name}</span>
  </>
);
