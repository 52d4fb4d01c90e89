import { useState } from "react";
import { useNavigate } from "react-router";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import type { LetterSummary } from "#worker/letters/contract.ts";
import { toast } from "../../shell/toast.tsx";
import type { Item } from "./use-follow-ups.ts";

type Props = {
  item: Item;
  /** The letter made from the item, if any. */
  letter: Pick<LetterSummary, "id" | "status"> | null;
  /** The item has just been published: its letter is the next step. */
  isNews?: boolean;
};

const addressOf = (letterId: number) => `/admin/newsletter/${letterId}`;

/** The same in the head of a form: hidden while the publication's panel below it is open, which has the button too. */
export const LetterButtonInHead = (props: Props) => (
  <div className="[header:has(+[data-open])_&]:hidden">
    <LetterButton {...props} />
  </div>
);

/** Makes a letter of what is published and leads to it, or to the one that was made. */
export function LetterButton({ item: { kind, id }, letter, isNews = false }: Props) {
  const [isBusy, setBusy] = useState(false);
  // The page does not navigate while there are unsaved changes.
  const [made, setMade] = useState<number>();
  // Pressed again after a lost answer it makes no second one.
  const [draftKey] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const make = async () => {
    setBusy(true);
    try {
      const json = { origin: { kind, id: Number(id) }, draftKey };
      const draft = await readJson(api.newsletters.$post({ json }));
      setMade(draft.id);
      toast.success("Draft letter created");
      await navigate(addressOf(draft.id));
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again.");
    } finally {
      setBusy(false);
    }
  };
  if (letter && isNews && letter.status === "draft") {
    return (
      <ButtonLink to={`${addressOf(letter.id)}/send`} tone="primary">
        Review and send
      </ButtonLink>
    );
  }
  const known = letter?.id ?? made;
  return known !== undefined && !isBusy ? (
    <ButtonLink to={addressOf(known)} size="sm">
      Open its letter
    </ButtonLink>
  ) : (
    <Button size="sm" busy={isBusy} onClick={() => void make()}>
      Send as a letter
    </Button>
  );
}
