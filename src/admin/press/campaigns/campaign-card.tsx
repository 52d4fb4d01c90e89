import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { RowActions } from "../../lists/row-actions.tsx";
import type { ListedCampaign } from "./list.tsx";
import { statusNames, typeNames } from "./campaign-types.ts";

type Props = { campaign: ListedCampaign; onDelete: (campaign: ListedCampaign) => void };

/** A campaign in the list, beside its handle. */
export function CampaignCard({ campaign, onDelete }: Props) {
  const { id, title, type, status, embedUrl, isFramed } = campaign;
  const path = `/admin/media/campaigns/${id}`;
  return (
    <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1 py-1">
      <div className="min-w-0 grow basis-full sm:basis-0">
        <Link
          to={path}
          dir="auto"
          className="inline-block py-0.5 font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {title}
        </Link>
        <p className="text-sm wrap-anywhere text-muted">
          {`${typeNames[type]} on ${new URL(embedUrl).host}, ${isFramed ? "shown on your page" : "a link"}`}
        </p>
      </div>
      <Badge tone={status === "active" ? "accent" : "neutral"}>{statusNames[status]}</Badge>
      <div className="whitespace-nowrap max-sm:ml-auto">
        <RowActions to={path} name={title} onDelete={() => onDelete(campaign)} />
      </div>
    </div>
  );
}
