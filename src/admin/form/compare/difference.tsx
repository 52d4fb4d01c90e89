import { useMemo } from "react";
import { counted } from "#site/ui/format.ts";
import { piecesOf, withoutMiddles, type Passage } from "./pieces.ts";

/** The difference of two texts: removed words are struck out, added ones underlined. */
export function Difference({ before, after }: { before: string; after: string }) {
  const passages = useMemo(() => withoutMiddles(piecesOf(before, after)), [before, after]);
  return (
    <div className="max-w-[70ch] leading-relaxed wrap-anywhere whitespace-pre-wrap">
      {passages.map((passage, index) => (
        // Nothing moves in this list.
        <Part key={index} passage={passage} />
      ))}
    </div>
  );
}

function Part({ passage }: { passage: Passage }) {
  if (passage.kind === "same") return <span>{passage.text}</span>;
  if (passage.kind === "left-out") {
    return (
      <span className="my-2 block border-y border-dashed border-rule py-1 text-sm text-muted">
        {`${counted(passage.words, "word")} unchanged`}
      </span>
    );
  }
  return passage.kind === "removed" ? (
    <del className="bg-danger/10 text-danger decoration-1">
      <span className="sr-only">removed: </span>
      <span>{passage.text}</span>
      <span className="sr-only"> end </span>
    </del>
  ) : (
    <ins className="bg-accent/10 text-accent decoration-1 underline-offset-4">
      <span className="sr-only">added: </span>
      <span>{passage.text}</span>
      <span className="sr-only"> end </span>
    </ins>
  );
}
