import type { GeneratedField } from "#worker/episodes/contract.ts";
import type { Proposal } from "#worker/proposals/contract.ts";
import { fill, textControls } from "../../form/controls.ts";
import { clockOf, writeChapters, writeTime } from "../chapter-lines.ts";

/** The field of the form for a proposal; null for the message, which no field has. */
const fieldOf: Record<Proposal["kind"], GeneratedField | null> = {
  title: "title",
  summary: "description",
  notes: "showNotes",
  chapters: "chapters",
  soundbite: "soundbites",
  message: null,
};

const names: Record<GeneratedField, string> = {
  title: "title",
  description: "description",
  showNotes: "show notes",
  chapters: "chapters",
  soundbites: "soundbite",
  transcript: "transcript",
};

/** A proposal in words. */
export const textOf = (proposal: Proposal) => {
  switch (proposal.kind) {
    case "chapters":
      return writeChapters(proposal.chapters);
    case "soundbite":
      return `${proposal.title} (${clockOf(proposal.start)}, ${proposal.duration} seconds)`;
    default:
      return proposal.text;
  }
};

type Form = {
  chapters: {
    rows: { start: string; title: string }[];
    replaceAll: (found: { start: number; title: string }[]) => void;
  };
  soundbites: { add: (row: { start: string; duration: string; title: string }) => void };
  mark: (field: GeneratedField, model: string) => void;
};

/** Takes proposals into the episode's form, which saves them like any edit. */
export const acceptInto = ({ chapters, soundbites, mark }: Form) => ({
  /** What the form has where the proposal would go; empty if nothing is replaced. `within`: an element of the form. */
  current({ kind }: Proposal, within: HTMLElement | null) {
    if (kind === "chapters") return chapters.rows.map(({ start, title }) => `${start} ${title}`).join("\n");
    const control = textControls(within!.closest("form")!).find(({ name }) => name === fieldOf[kind]);
    return kind === "soundbite" ? "" : (control?.value.trim() ?? "");
  },

  /** Returns what happened, in a sentence. */
  take(proposal: Proposal, model: string, within: HTMLElement | null) {
    const field = fieldOf[proposal.kind];
    if (field === null) return "The message is saved for sharing: it is there once the episode is published.";
    if (proposal.kind === "chapters") chapters.replaceAll(proposal.chapters);
    else if (proposal.kind === "soundbite") {
      const { start, duration, title } = proposal;
      soundbites.add({ start: writeTime(start), duration: String(duration), title });
    } else fill(within!.closest("form")!, { [field]: textOf(proposal) });
    mark(field, model);
    const verb = field === "showNotes" || field === "chapters" ? "are" : "is";
    return `The ${names[field]} ${verb} in the form. Read it, then save the episode.`;
  },
});
