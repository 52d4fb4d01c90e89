import type { ReactNode } from "react";
import { Button, ButtonLink } from "#site/ui/button.tsx";

type Props = {
  /** Where it is edited. */
  to: string;
  /** The item's name, for screen readers. */
  name: string;
  onDelete: () => void;
  /** What else can be done with it. */
  children?: ReactNode;
};

/** What can be done with a row of a list. */
export const RowActions = ({ to, name, onDelete, children }: Props) => (
  <>
    <ButtonLink to={to} tone="bare" size="sm" aria-label={`Edit ${name}`}>
      Edit
    </ButtonLink>
    {children}
    <Button tone="bare" size="sm" aria-label={`Delete ${name}`} onClick={onDelete}>
      Delete
    </Button>
  </>
);
