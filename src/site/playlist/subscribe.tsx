import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { Link2 } from "#site/ui/icons.tsx";
import { copyLink } from "#site/shell/copy-link.ts";
import { EmbedButton } from "#site/shell/embed-button.tsx";
import { useToast } from "#site/shell/toast.ts";

type SubscribeProps = { id: string; name: string; url: string };

/** The playlist's feed: a link for podcast apps, and the address to copy. Below it the code that embeds the playlist. */
export function Subscribe({ id, name, url }: SubscribeProps) {
  const say = useToast();
  return (
    <aside
      aria-labelledby="subscribe"
      className="grid content-start gap-4 border-t border-ink pt-5 lg:col-span-4"
    >
      <h2 id="subscribe" className="text-base font-semibold">
        Listen in your podcast app
      </h2>
      <p className="text-sm text-muted">
        Follow this address in any podcast app that accepts one. New episodes in the playlist appear
        automatically.
      </p>
      <p className="bg-tint px-3 py-2 text-sm select-all">{url}</p>
      <ButtonRow>
        <ButtonLink to={new URL(url).pathname} reloadDocument size="sm">
          Subscribe
        </ButtonLink>
        <Button
          size="sm"
          tone="bare"
          className="script-only"
          data-shares
          onClick={() => void copyLink(url, say)}
        >
          <Link2 aria-hidden size={16} />
          Copy address
        </Button>
        <EmbedButton kind="playlist" id={id} title={name} className="script-only" data-shares />
      </ButtonRow>
    </aside>
  );
}
