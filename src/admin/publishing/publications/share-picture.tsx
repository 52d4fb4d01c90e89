import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { toast } from "../../shell/toast.tsx";

/** Pixels; the shape in which networks show the preview of a link. */
const WIDTH = 1200;
const HEIGHT = 630;

type Props = {
  title: string;
  /** Where the picture is that previews of a link to the page show; null while the page has none. */
  picture: string | null;
};

/** The picture that networks show of a link to the page, to be downloaded. */
export function SharePicture({ title, picture }: Props) {
  return (
    <div className="grid content-start gap-3">
      <h4 className="text-sm font-medium">Picture</h4>
      {picture === null ? (
        <p className="text-sm text-muted">The page has no picture yet. Check again in a moment.</p>
      ) : (
        <Preview title={title} picture={picture} />
      )}
    </div>
  );
}

function Preview({ title, picture }: { title: string; picture: string }) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const response = await fetch(picture);
      if (!response.ok) throw new Error(`${picture} answers ${response.status}`);
      save(await response.blob(), title);
    } catch (error) {
      console.warn("share picture:", error);
      toast.error("The picture couldn’t be downloaded. Try again.");
    } finally {
      setBusy(false);
    }
  };
  const retry = () => {
    setState("loading");
    setAttempt((number) => number + 1);
  };
  return (
    <>
      <img
        key={attempt}
        src={picture}
        alt={`Preview of a link to ${title}`}
        width={WIDTH}
        height={HEIGHT}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
        className="aspect-[1200/630] h-auto w-full max-w-xl border border-rule bg-tint text-sm"
      />
      <div className="text-sm text-muted">
        <p>
          <span>{`${WIDTH} × ${HEIGHT} px`}</span>, as networks show a link to the page.
        </p>
        <p role="status">{states[state]}</p>
      </div>
      {state === "failed" ? (
        <Button className="justify-self-start" onClick={retry}>
          Try again
        </Button>
      ) : (
        <Button
          className="justify-self-start"
          disabled={state === "loading"}
          busy={isBusy}
          onClick={() => void download()}
        >
          Download picture
        </Button>
      )}
    </>
  );
}

const states = {
  loading: "The picture is being drawn…",
  shown: "",
  failed: "The picture couldn’t be drawn.",
};

function save(picture: Blob, title: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = `${nameOf(title)}.${picture.type === "image/png" ? "png" : "jpg"}`;
  link.click();
  // Later than the browser starts to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A file's name of letters and digits. */
const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "picture";
