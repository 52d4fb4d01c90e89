import { useState } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { controlClass, Field } from "#site/ui/field.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import type { FollowUps } from "#worker/publications/contract.ts";
import { copyText } from "../../shell/copy.ts";
import { toast } from "../../shell/toast.tsx";
import { SharePicture } from "./share-picture.tsx";

/** The item's public address. */
export const LinkRow = ({ url }: Pick<FollowUps["share"], "url">) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <a href={url} className="link min-w-0 py-1 font-medium wrap-anywhere">
      {url}
    </a>
    <Button size="sm" onClick={() => void copyText(url, "Link copied", "address")}>
      Copy link
    </Button>
  </div>
);

/** A text and a picture for sharing. */
export function SharePanel({ url, title, text, picture }: FollowUps["share"]) {
  return (
    <section aria-label="Share it" className="grid gap-6 lg:grid-cols-2">
      <div className="grid content-start gap-5">
        <h3 className="text-base font-semibold">Share it</h3>
        <ShareText key={text} url={url} title={title} text={text} />
      </div>
      <SharePicture key={`${picture} ${title}`} title={title} picture={picture} />
    </section>
  );
}

type TextProps = Pick<FollowUps["share"], "url" | "title" | "text">;

function ShareText({ url, title, text }: TextProps) {
  const [words, setWords] = useState(text);
  const canShare = useHydrated() && "share" in navigator;
  // The system's own sheet adds the link.
  const share = () =>
    navigator.share({ title, text: words.replace(url, "").trim(), url }).catch(ignoreCancel);
  return (
    <div className="grid gap-3">
      <Field label="Message" help="Edit it before you copy. Nothing here is saved.">
        {(control) => (
          <textarea
            {...control}
            rows={8}
            maxLength={3000}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            className={`${controlClass} py-2`}
          />
        )}
      </Field>
      <ButtonRow>
        <Button onClick={() => void copyText(words, "Message copied", "message")}>Copy message</Button>
        {canShare && <Button onClick={() => void share()}>Share…</Button>}
      </ButtonRow>
    </div>
  );
}

function ignoreCancel(error: unknown) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  console.warn("share:", error);
  toast.error("It couldn’t be shared. Copy the message instead.");
}
