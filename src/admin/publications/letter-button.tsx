import { useState } from "react";
import { useNavigate } from "react-router";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { toast } from "../toast.tsx";
import type { Item } from "./use-follow-ups.ts";

type Props = {
  item: Item;
  /** The letter that was made of it. */
  letterId?: number;
};

const addressOf = (letterId: number) => `/admin/newsletter/${letterId}`;

/** Makes a letter of what is published and leads to it, or to the one that was made. */
export function LetterButton({ item: { kind, id }, letterId }: Props) {
  const [isBusy, setBusy] = useState(false);
  // The page stays where something unsaved is not to be left.
  const [made, setMade] = useState<number>();
  // Pressed again after a lost answer it makes no second one.
  const [draftKey] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const make = async () => {
    setBusy(true);
    try {
      const json = { origin: { kind, id: Number(id) }, draftKey };
      const letter = await readJson(api.newsletters.$post({ json }));
      setMade(letter.id);
      toast.success("Draft letter created");
      await navigate(addressOf(letter.id));
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again.");
    } finally {
      setBusy(false);
    }
  };
  const known = letterId ?? made;
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
