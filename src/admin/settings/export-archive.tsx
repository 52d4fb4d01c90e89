import { useEffect, useRef, useState } from "react";
import { ApiError } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { sendUntilAnswered } from "../moving-in/retry.ts";
import { makeArchive } from "./make-archive.ts";

type Archive = { address: string; name: string };

/** On the free plan, which ends long requests: the page reads the site in pieces, and joins them. */
export function ExportArchive({ fileName }: { fileName: string }) {
  const [part, setPart] = useState<number | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [archive, setArchive] = useState<Archive | null>(null);
  const control = useRef<AbortController>(null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => () => control.current?.abort(), []);
  useEffect(() => {
    if (!archive) return;
    link.current?.click();
    return () => URL.revokeObjectURL(archive.address);
  }, [archive]);

  const rest = () => {
    setPart(null);
    setWaiting(null);
  };
  const cancel = () => {
    control.current?.abort();
    rest();
  };
  const make = async () => {
    const { signal } = (control.current = new AbortController());
    const ifWanted =
      <T,>(set: (value: T) => void) =>
      (value: T) =>
        signal.aborted ? undefined : set(value);
    setArchive(null);
    setError(null);
    setPart(0);
    try {
      const until = <T,>(send: () => Promise<T>) =>
        sendUntilAnswered(send, { signal, work: "export", onWaiting: ifWanted(setWaiting) });
      const zip = await makeArchive({ signal, until, onPart: ifWanted(setPart) });
      signal.throwIfAborted();
      setArchive({ address: URL.createObjectURL(zip), name: fileName });
    } catch (cause) {
      if (signal.aborted) return;
      console.error(cause);
      setError(cause instanceof ApiError ? cause.message : "The archive couldn’t be made. Try again.");
    }
    rest();
  };

  return (
    <div className="grid max-w-2xl gap-4">
      {part === null ? (
        <div>
          <Button tone={archive ? undefined : "primary"} onClick={() => void make()}>
            {archive ? "Make it again" : "Make the archive"}
          </Button>
        </div>
      ) : (
        <>
          <ProgressBar label="Reading the site" value={part} />
          <p className="text-sm text-muted figures">{`Reading the site: ${Math.floor(part * 100)} %. Leave this page open.`}</p>
          <div>
            <Button onClick={cancel}>Cancel</Button>
          </div>
        </>
      )}
      <p role="status" className="text-sm empty:hidden">
        {waiting && <span>{waiting}</span>}
        {archive && (
          <span>
            <span>The archive is ready. </span>
            <a ref={link} href={archive.address} download={archive.name} className="link">
              {`Save ${archive.name}`}
            </a>
          </span>
        )}
      </p>
      <p role="alert" className="font-medium text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}
