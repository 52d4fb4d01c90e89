import { Button } from "#site/ui/button.tsx";

type Spoken = { speaker: string | null; text: string };

type Props = {
  names: string[];
  /** The first cues as they would be. */
  sample: Spoken[];
  onAccept: () => void;
  onRefuse: () => void;
};

/** Asks whether names before what they say are voices, and shows the result. */
export const VoicesOffer = ({ names, sample, onAccept, onRefuse }: Props) => (
  <div role="group" aria-label="Speakers in this transcript" className="grid gap-3 border border-rule p-3">
    <p>{`Are these names of speakers? ${names.join(", ")}. If they are, the transcript looks like this:`}</p>
    <dl className="grid gap-x-3 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {sample.map(({ speaker, text }, at) => (
        <div key={at} className="contents">
          <dt className="font-medium">{speaker || "No speaker"}</dt>
          <dd className="text-muted">{text}</dd>
        </div>
      ))}
    </dl>
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={onAccept}>
        Use as speakers
      </Button>
      <Button size="sm" tone="bare" onClick={onRefuse}>
        Leave as text
      </Button>
    </div>
  </div>
);
