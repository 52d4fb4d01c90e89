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
export const LetterButton = ({ item, letterId }: Props) =>
  letterId === undefined ? (
    <MakeLetter {...item} />
  ) : (
    <ButtonLink to={addressOf(letterId)} size="sm">
      Open its letter
    </ButtonLink>
  );

function MakeLetter({ kind, id }: Item) {
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const make = async () => {
    setBusy(true);
    try {
      const json = { origin: { kind, id: Number(id) } };
      const letter = await readJson(api.newsletters.$post({ json }));
      toast.success("A draft of the letter is made");
      await navigate(addressOf(letter.id));
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again.");
      setBusy(false);
    }
  };
  return (
    <Button size="sm" busy={isBusy} onClick={() => void make()}>
      Send as a letter
    </Button>
  );
}
