import { FRAME } from "#site/document/deferred-hydration.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import type { ShownCampaign } from "./page.tsx";
import { CampaignFacts } from "./campaign-facts.tsx";

export function CampaignView({ campaign }: { campaign: ShownCampaign }) {
  const { host } = new URL(campaign.embedUrl);
  return (
    <article id="campaign" aria-labelledby="campaign-title" className="grid gap-6">
      <header className="grid gap-3">
        <CampaignFacts campaign={campaign} />
        <h2 id="campaign-title" className="headline text-2xl">
          {campaign.title}
        </h2>
        <p className="max-w-[38rem] font-reading text-lg whitespace-pre-line">{campaign.description}</p>
      </header>
      {campaign.isFramed ? (
        <Frame campaign={campaign} host={host} />
      ) : (
        <ButtonLink to={campaign.embedUrl} tone="primary" size="lg" className="w-fit">
          {`${campaign.type === "petition" ? "Sign" : "Support"} it on ${host}`}
        </ButtonLink>
      )}
    </article>
  );
}

/** A form may run scripts, use its own cookies and open windows; it may not navigate this page. */
const SANDBOX = "allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** React does not manage the content, which is inserted later. */
const NOTHING = { __html: "" };

/**
 * The host's page is loaded after ours was painted, without React: once the browser is idle, `inline/hydrate.ts` puts
 * the iframe of the `<noscript>` into the empty element, and React keeps it. The key creates it anew for each campaign:
 * another `src` would add an entry to the history.
 */
function Frame({ campaign, host }: { campaign: ShownCampaign; host: string }) {
  const frame = {
    src: campaign.embedUrl,
    title: `${campaign.title}, a form of ${host}`,
    sandbox: SANDBOX,
    loading: "lazy",
    referrerPolicy: "strict-origin-when-cross-origin",
    height: "700",
    // Pages that set no background are written for white.
    className: "block h-[700px] w-full border border-edge bg-[#fff] scheme-light",
  } as const;
  const fill = (place: HTMLElement | null) => {
    if (place && !place.firstChild) place.appendChild(Object.assign(document.createElement("iframe"), frame));
  };
  return (
    <div className="grid gap-3">
      <div
        key={campaign.id}
        ref={fill}
        {...{ [FRAME]: "" }}
        className="script-only h-[700px] bg-[#fff]"
        suppressHydrationWarning
        dangerouslySetInnerHTML={NOTHING}
      />
      <noscript>
        <iframe {...frame} title={frame.title} sandbox={SANDBOX} />
      </noscript>
      <p className="text-sm text-muted">
        <span>{`The form above is from ${host}. If it doesn’t show, `}</span>
        <a href={campaign.embedUrl} rel="noopener" className="link">
          {`open it on ${host}`}
        </a>
        .
      </p>
    </div>
  );
}
