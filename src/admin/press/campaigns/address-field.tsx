import { useState } from "react";
import { NewCampaign } from "#worker/campaigns/contract.ts";
import { mayFrame } from "#worker/campaigns/frames.ts";
import { TextField } from "../../form/fields.tsx";
import type { Frames } from "./frames.server.ts";

type Props = { value: string; frames: Frames };

/** A campaign's address, and how the page Petitions will show it: in a frame, or as a link. */
export function AddressField({ value, frames }: Props) {
  const [typed, setTyped] = useState(value);
  return (
    <div className="grid gap-2">
      <TextField
        label="Address"
        name="embedUrl"
        type="url"
        required
        placeholder="https://www.example.org/petition"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        help="The address of the form itself. It starts with https://."
      />
      <div role="status" className="text-sm wrap-anywhere">
        <Showing address={typed.trim()} frames={frames} />
      </div>
    </div>
  );
}

function Showing({ address, frames: { frameHosts, maySet } }: { address: string; frames: Frames }) {
  if (!NewCampaign.shape.embedUrl.safeParse(address).success) return null;
  const { host } = new URL(address);
  if (mayFrame(address, frameHosts))
    return (
      <p className="border-l-2 border-accent pl-3">{`Visitors see the form from ${host} on your page.`}</p>
    );
  return (
    <p className="border-l-2 border-signal pl-3">
      <span>{host}</span> can’t be shown on your page, so visitors see a link.{" "}
      {maySet ? (
        <span>
          If it allows framing, add it to Frame hosts in {/* A new tab, so that typed text stays. */}
          <a href="/admin/settings/general#frame-hosts" target="_blank" rel="noopener" className="link">
            General settings
          </a>
          .
        </span>
      ) : (
        <span>If it allows framing, an admin can add it in Settings.</span>
      )}
    </p>
  );
}
