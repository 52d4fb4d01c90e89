import { useEffect, useRef, useState } from "react";
import { ApiError } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { sendUntilAnswered } from "../moving-in/retry.ts";

export type Tools = {
  signal: AbortSignal;
  /** Sends until there is an answer. */
  until: <T>(send: () => Promise<T>) => Promise<T>;
  /** 0 to 1. */
  onPart: (part: number) => void;
};

/** A zip cannot be finished, for a reason that its owner can act on. */
export class ZipRefused extends Error {}

type Props = {
  /** On the button, before and after. */
  label: string;
  again: string;
  isPrimary?: boolean;
  /** "Reading the site". */
  progress: string;
  fileName: string;
  make: (tools: Tools) => Promise<Blob>;
};

/** Makes a zip in the browser, with its progress, and saves it: the free plan ends long requests. */
export function MakeZip({ label, again, isPrimary = false, progress, fileName, make }: Props) {
  const [part, setPart] = useState<number | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const control = useRef<AbortController>(null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => () => control.current?.abort(), []);
  useEffect(() => {
    if (address === null) return;
    link.current?.click();
    return () => URL.revokeObjectURL(address);
  }, [address]);

  const rest = () => {
    setPart(null);
    setWaiting(null);
  };
  const cancel = () => {
    control.current?.abort();
    rest();
  };
  const start = async () => {
    const { signal } = (control.current = new AbortController());
    const ifWanted =
      <T,>(set: (value: T) => void) =>
      (value: T) =>
        signal.aborted ? undefined : set(value);
    setAddress(null);
    setError(null);
    setPart(0);
    try {
      const until = <T,>(send: () => Promise<T>) =>
        sendUntilAnswered(send, { signal, work: "export", onWaiting: ifWanted(setWaiting) });
      const zip = await make({ signal, until, onPart: ifWanted(setPart) });
      signal.throwIfAborted();
      setAddress(URL.createObjectURL(zip));
    } catch (cause) {
      if (signal.aborted) return;
      const isExplained = cause instanceof ApiError || cause instanceof ZipRefused;
      if (!isExplained) console.error(cause);
      setError(isExplained ? cause.message : "The zip couldn’t be made. Try again.");
    }
    rest();
  };

  return (
    <div className="grid max-w-2xl gap-4">
      {part === null ? (
        <div>
          <Button tone={isPrimary && address === null ? "primary" : undefined} onClick={() => void start()}>
            {address === null ? label : again}
          </Button>
        </div>
      ) : (
        <>
          <ProgressBar label={progress} value={part} />
          <p className="text-sm text-muted figures">{`${progress}: ${Math.floor(part * 100)} %. Leave this page open.`}</p>
          <div>
            <Button onClick={cancel}>Cancel</Button>
          </div>
        </>
      )}
      <p role="status" className="text-sm empty:hidden">
        {waiting && <span>{waiting}</span>}
        {address !== null && (
          <span>
            <span>The zip is ready. </span>
            <a ref={link} href={address} download={fileName} className="link">
              {`Save ${fileName}`}
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
