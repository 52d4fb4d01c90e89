import { useState, type ComponentProps } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { toast } from "./toast.tsx";

type Props = Pick<ComponentProps<typeof Button>, "tone" | "aria-label"> & {
  /** "Episode" */
  noun: string;
  /** Items are edited below this address, by their ids. */
  path: string;
  duplicate: () => Promise<{ id: number }>;
};

/** Makes a draft of what is stored of an item, and leads to it. */
export function DuplicateButton({ noun, path, duplicate, ...button }: Props) {
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const make = async () => {
    setBusy(true);
    try {
      const { id } = await duplicate();
      toast.success(`${noun} duplicated. This is the copy.`);
      await navigate(`${path}/${id}`);
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again.");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button {...button} size="sm" busy={isBusy} onClick={() => void make()}>
      Duplicate
    </Button>
  );
}
