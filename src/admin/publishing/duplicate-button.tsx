import { useState, type ComponentProps } from "react";
import { useNavigate } from "react-router";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { useBeforeLeaving } from "../form/leaving.ts";
import { toast } from "../shell/toast.tsx";

/** Items that can be duplicated; they are edited below `path`, by their ids. */
const kinds = {
  episode: {
    noun: "Episode",
    path: "/admin/podcast",
    duplicate: (id: string) => readJson(api.episodes[":id"].duplicate.$post({ param: { id } })),
  },
  letter: {
    noun: "Letter",
    path: "/admin/newsletter",
    duplicate: (id: string) => readJson(api.newsletters[":id"].duplicate.$post({ param: { id } })),
  },
};

type Props = Pick<ComponentProps<typeof Button>, "tone" | "aria-label"> & {
  kind: keyof typeof kinds;
  id: number;
};

/** Saves the item's form, duplicates the stored item as a draft, and opens that draft. */
export function DuplicateButton({ kind, id, ...button }: Props) {
  const { noun, path, duplicate } = kinds[kind];
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const beforeLeaving = useBeforeLeaving();
  const make = async () => {
    setBusy(true);
    try {
      const copy = await duplicate(String(id));
      toast.success(`${noun} duplicated. This is the copy.`);
      await navigate(`${path}/${copy.id}`);
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again.");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button {...button} size="sm" busy={isBusy} onClick={() => beforeLeaving(() => void make())}>
      Duplicate
    </Button>
  );
}
