import loadFrame from "inline:frame";
import { use } from "react";
import { LOADED } from "#site/document/deferred-hydration.ts";
import { NonceContext } from "#site/document/nonce.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import type { ShownCampaign } from "./page.tsx";
import { CampaignFacts } from "./campaign-facts.tsx";
import "./slow-form.css";

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

/**
 * The host's page loads after this page is painted, without React: once the browser is idle, `inline/frame.ts` puts
 * the iframe of the `<noscript>` in its own place, and React keeps it. The key recreates it for each campaign,
 * since a new `src` would add a history entry.
 *
 * Until its page is painted the iframe is transparent, so that the campaign's name and the waiting message behind it
 * show. Once loaded it is white, as pages without a background expect. Without scripts it turns white after a delay.
 */
function Frame({ campaign, host }: { campaign: ShownCampaign; host: string }) {
  const frame = {
    src: campaign.embedUrl,
    title: `${campaign.title}, a form of ${host}`,
    sandbox: SANDBOX,
    loading: "lazy",
    referrerPolicy: "strict-origin-when-cross-origin",
    height: "700",
    className: "absolute inset-0 h-full w-full scheme-light",
  } as const;
  const script = import.meta.env.SSR ? `<script nonce="${use(NonceContext)}">${loadFrame}</script>` : "";
  const fill = (place: HTMLElement | null) => {
    if (!place || place.firstChild) return;
    const iframe = Object.assign(document.createElement("iframe"), frame);
    iframe.addEventListener("load", () => place.setAttribute(LOADED, ""));
    place.appendChild(iframe);
  };
  return (
    <div className="grid gap-3">
      <div key={campaign.id} className="relative h-[702px] border border-edge bg-raised print:hidden">
        <div
          ref={fill}
          className="script-only peer absolute inset-0 data-loaded:bg-[#fff]"
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: script }}
        />
        <noscript className="late-white">
          <iframe {...frame} title={frame.title} sandbox={SANDBOX} />
        </noscript>
        <Waiting campaign={campaign} host={host} />
      </div>
      <p className="text-sm text-muted">
        <span className="print:hidden">{`The form above is from ${host}. If it doesn’t show, `}</span>
        <a href={campaign.embedUrl} rel="noopener" className="link">
          {`open it on ${host}`}
        </a>
        .
      </p>
    </div>
  );
}

/** Behind the iframe; its link, which appears if the host is slow, is in front. */
const Waiting = ({ campaign, host }: { campaign: ShownCampaign; host: string }) => (
  <div role="status" className="grid justify-items-start gap-3 p-6 peer-data-loaded:hidden sm:p-8">
    <span className="headline text-xl">{campaign.title}</span>
    <span className="text-muted">{`Loading the form from ${host}…`}</span>
    <span aria-hidden className="h-0.5 w-40 overflow-hidden bg-rule">
      <span className="block h-full w-2/5 animate-sweep bg-signal" />
    </span>
    <span className="script-only relative late mt-2 grid justify-items-start gap-3 bg-raised">
      <span>It takes longer than usual.</span>
      <ButtonLink to={campaign.embedUrl} tone="primary">
        {`Open the form on ${host}`}
      </ButtonLink>
    </span>
  </div>
);
