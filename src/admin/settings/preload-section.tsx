import type { PreloadState } from "#worker/settings/contract.ts";
import { CHANGE_PRELOAD } from "../account/save.ts";
import { ActionButton } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";

/** Whether the domain may be entered in browsers' preload list, and what that means. */
export const PreloadSection = ({ isAllowed, mayChange }: PreloadState) => (
  <FormSection
    title="HTTPS only"
    help="A browser that has visited this site opens it and all its subdomains by HTTPS only, for a year. That is always on."
  >
    <p>
      {isAllowed
        ? "Your domain may be entered in the browsers’ preload list."
        : "Your domain may not be entered in the browsers’ preload list."}
    </p>
    <div className="grid gap-3 text-sm text-muted">
      <p>
        Browsers open the domains of that list by HTTPS from the first visit on. You enter yours at{" "}
        <a className="link" href="https://hstspreload.org/" rel="noopener">
          hstspreload.org
        </a>
        , once it is allowed here. Think twice:
      </p>
      <ul className="grid list-disc gap-1 pl-5">
        <li>
          All subdomains must have HTTPS, also those of other services: a shop, a printer or a router in your
          network. Without it, no browser opens them.
        </li>
        <li>
          Leaving takes months. Stop allowing it here, ask for the removal at hstspreload.org, and wait until
          browsers are updated.
        </li>
        <li>While it is allowed, anyone can enter your domain.</li>
        <li>
          The list takes a whole domain, such as example.org. It takes no podcast.example.org, and no address
          at workers.dev.
        </li>
      </ul>
    </div>
    {mayChange ? (
      <ActionButton intent={CHANGE_PRELOAD} values={{ preload: isAllowed ? "off" : "on" }}>
        {isAllowed ? "Stop allowing the preload list" : "Allow the preload list"}
      </ActionButton>
    ) : (
      <p className="text-sm text-muted">Only super admins can change this.</p>
    )}
  </FormSection>
);
