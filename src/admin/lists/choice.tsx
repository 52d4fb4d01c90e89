import type { ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";

type Props = { isOn: boolean; onPress: () => void; children: ReactNode };

/** A button that is pressed or not, often one of several. */
export const Choice = ({ isOn, onPress, children }: Props) => (
  <Button
    size="sm"
    aria-pressed={isOn}
    onClick={onPress}
    className="aria-pressed:border-ink aria-pressed:bg-tint"
  >
    {children}
  </Button>
);
