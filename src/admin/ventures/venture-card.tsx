import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { Picture } from "#site/ui/picture.tsx";
import type { VentureRow } from "#worker/ventures/contract.ts";
import { icons } from "./icons.ts";

type Props = { venture: VentureRow; onDelete: (venture: VentureRow) => void };

/** A venture in the list, beside its handle. */
export const VentureCard = ({ venture, onDelete }: Props) => (
  <>
    <Thumbnail {...venture} />
    <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1 py-1">
      <div className="min-w-0 grow basis-full sm:basis-0">
        <Link
          to={`/admin/ventures/${venture.id}`}
          dir="auto"
          className="inline-block py-0.5 font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {venture.name}
        </Link>
        <p className="line-clamp-2 text-sm wrap-anywhere text-muted">
          {venture.url ? new URL(venture.url).host : "No website"}
        </p>
      </div>
      <Badge tone={venture.active ? "accent" : "neutral"}>{venture.active ? "Active" : "Inactive"}</Badge>
      <div className="whitespace-nowrap max-sm:ml-auto">
        <ButtonLink
          to={`/admin/ventures/${venture.id}`}
          tone="bare"
          size="sm"
          aria-label={`Edit ${venture.name}`}
        >
          Edit
        </ButtonLink>
        <Button tone="bare" size="sm" aria-label={`Delete ${venture.name}`} onClick={() => onDelete(venture)}>
          Delete
        </Button>
      </div>
    </div>
  </>
);

/** The picture, or else the icon. */
function Thumbnail({ picture, icon }: VentureRow) {
  const Icon = icons[icon];
  const frame = "size-14 shrink-0 rounded-sm bg-tint max-sm:hidden";
  if (picture) return <Picture picture={picture} sizes="3.5rem" className={`${frame} object-cover`} />;
  return (
    <span className={`${frame} grid place-items-center text-muted`}>
      <Icon aria-hidden size={22} strokeWidth={1.5} />
    </span>
  );
}
