import { Code, Link2, Rss } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { useToast } from "#site/shell/toast.ts";
import { Button } from "#site/ui/button.tsx";
import { copyEmbed } from "#site/shell/copy-embed.ts";
import { copyLink } from "#site/shell/copy-link.ts";
import { embedPath } from "#worker/embeds/frame.ts";

/** Link, feed and embed code of a public playlist. */
export const Sharing = ({ id, name }: { id: string; name: string }) => (
  <dl className="mt-2 w-full border-b border-rule text-sm">
    <Address icon={<Link2 aria-hidden size={16} />} label="Link" path={`/playlists/${id}`} isPage />
    <Address icon={<Rss aria-hidden size={16} />} label="Feed" path={`/rss/playlists/${id}.xml`} />
    <Address
      icon={<Code aria-hidden size={16} />}
      label="Embed"
      path={embedPath("playlist", id)}
      copy={(say) => copyEmbed({ kind: "playlist", id, title: name }, say)}
    />
  </dl>
);

type AddressProps = {
  icon: ReactNode;
  label: string;
  path: string;
  /** A page of this site: opens by client-side navigation, so that playback continues. */
  isPage?: boolean;
  /** By default the address. */
  copy?: (say: ReturnType<typeof useToast>) => Promise<void>;
};

function Address({ icon, label, path, isPage = false, copy }: AddressProps) {
  const say = useToast();
  const url = location.origin + path;
  return (
    <div className="flex items-center gap-3 border-t border-rule py-1">
      <dt className="flex items-center gap-2 font-medium">
        {icon}
        <span>{label}</span>
      </dt>
      <dd className="mr-auto min-w-0 truncate">
        {isPage ? (
          <Link to={path} className="link">
            {url}
          </Link>
        ) : (
          <a href={path} className="link">
            {url}
          </a>
        )}
      </dd>
      <dd>
        <Button
          tone="bare"
          size="sm"
          data-shares
          aria-label={`Copy ${label.toLowerCase()}`}
          onClick={() => void (copy ? copy(say) : copyLink(url, say))}
        >
          Copy
        </Button>
      </dd>
    </div>
  );
}
