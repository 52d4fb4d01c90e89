import type { SearchKind } from "#worker/discovery/contract.ts";

type Kind = { kind?: SearchKind; label: string };

/** Filters of a search; the first is everything. */
export const kinds: Kind[] = [
  { label: "All" },
  { kind: "episode", label: "Episodes" },
  { kind: "transcript", label: "Transcripts" },
  { kind: "essay", label: "Essays" },
  { kind: "press", label: "Press" },
];

type Address = { q: string; kind?: SearchKind; before?: string };

export const addressOf = ({ q, kind, before }: Address) =>
  `/search?${new URLSearchParams({ q, ...(kind && { kind }), ...(before && { before }) })}`;
