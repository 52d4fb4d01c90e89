import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { icon, Link2 } from "#site/ui/icons.tsx";
import { copyEmbed } from "#site/shell/copy-embed.ts";
import { copyLink } from "#site/shell/copy-link.ts";
import { useToast } from "#site/shell/toast.ts";

type SubscribeProps = { id: string; name: string; url: string };

const Code = icon("m16 18 6-6-6-6M8 6l-6 6 6 6");

/** The playlist's feed: a link for podcast apps, and the address to copy. Below it the code that embeds the playlist. */
export function Subscribe({ id, name, url }: SubscribeProps) {
  const say = useToast();
  return (
    <aside
      aria-labelledby="subscribe"
      className="grid content-start gap-4 border-t border-ink pt-5 lg:col-span-4"
    >
      <h2 id="subscribe" className="text-base font-semibold">
        Hear it in your podcast app
      </h2>
      <p className="text-sm text-muted">
        Follow this address in any app that takes one. Episodes that are added to the playlist come by
        themselves.
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
        <Button
          size="sm"
          tone="bare"
          className="script-only"
          data-shares
          onClick={() => void copyEmbed({ kind: "playlist", id, title: name }, say)}
        >
          <Code aria-hidden size={16} />
          Copy embed code
        </Button>
      </ButtonRow>
    </aside>
  );
}
