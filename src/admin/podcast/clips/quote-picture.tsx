import { useState } from "react";
import { Button, buttonClass } from "#site/ui/button.tsx";
import { quotePath, quoteShapes, type QuotePlace, type QuoteShape } from "#worker/sharing/quote-address.ts";

type Props = { episodeId: number; place: QuotePlace; shape: QuoteShape };

/** The picture of the chosen lines, as readers make it on the episode’s page. */
export function QuotePicture({ episodeId, place, shape }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<"unasked" | "loading" | "shown" | "failed">("unasked");
  const address = `/share${quotePath(episodeId, place, shape)}`;
  const { width, height } = quoteShapes[shape];
  const draw = () => {
    setState("loading");
    setAttempt(attempt + 1);
  };
  const sentences = {
    unasked: "",
    loading: "The picture is being drawn…",
    shown: `${width} × ${height} px`,
    failed: "The picture couldn’t be drawn. Save the transcript, or choose fewer lines.",
  };
  return (
    <>
      {state !== "unasked" && (
        <img
          key={attempt}
          src={address}
          alt="The chosen lines, their speaker and the episode"
          width={width}
          height={height}
          onLoad={() => setState("shown")}
          onError={() => setState("failed")}
          className="max-h-96 w-auto max-w-full border border-rule bg-tint text-sm"
        />
      )}
      <p role="status" className="text-sm text-muted empty:hidden">
        {sentences[state]}
      </p>
      {state === "shown" ? (
        <a
          href={address}
          download={`quote-${episodeId}-${shape}`}
          className={`${buttonClass({ size: "sm" })} justify-self-start`}
        >
          Download picture
        </a>
      ) : (
        <Button size="sm" busy={state === "loading"} className="justify-self-start" onClick={draw}>
          {state === "failed" ? "Try again" : "Draw the picture"}
        </Button>
      )}
    </>
  );
}
