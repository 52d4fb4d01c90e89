import type { ComponentProps } from "react";
import { Button } from "#site/ui/button.tsx";
import { icon } from "#site/ui/icons.tsx";
import { copyEmbed, type Embedded } from "./copy-embed.ts";
import { useToast } from "./toast.ts";

const Code = icon("m16 18 6-6-6-6M8 6l-6 6 6 6");

type Props = Embedded & Omit<ComponentProps<typeof Button>, keyof Embedded>;

/** Copies the code that embeds an episode or playlist. */
export function EmbedButton({ kind, id, title, children = "Copy embed code", ...rest }: Props) {
  const say = useToast();
  return (
    <Button tone="bare" size="sm" onClick={() => void copyEmbed({ kind, id, title }, say)} {...rest}>
      <Code aria-hidden size={16} />
      {children}
    </Button>
  );
}
