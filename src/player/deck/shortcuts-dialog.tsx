import { useAtom } from "jotai";
import { Checkbox } from "#site/ui/controls.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { shortcuts, shortcutsAtom } from "../shortcuts.ts";

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/** The keys that play, and the switch that turns them off. */
export function ShortcutsDialog({ open, onOpenChange }: Props) {
  const [isOn, setOn] = useAtom(shortcutsAtom);
  return (
    <Dialog closesOnBack open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className="deck grid gap-5">
        <dl className="text-base">
          {shortcuts.map(({ keys, does }) => (
            <div
              key={does}
              className="flex items-center justify-between gap-4 border-t border-rule py-2 first:border-t-0"
            >
              <dt>{does}</dt>
              <dd className="flex shrink-0 items-center gap-2 text-sm text-muted">
                {keys.map((key, at) => (
                  <span key={key} className="flex items-center gap-2">
                    {at > 0 && <span>or</span>}
                    <kbd
                      translate="no"
                      className="min-w-7 rounded-sm border border-edge px-1.5 py-0.5 text-center font-sans text-ink"
                    >
                      {key}
                    </kbd>
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <Checkbox
          label="Use keyboard shortcuts"
          help="They work while an episode is in the player, except while you type or a dialog is open."
          checked={isOn}
          onChange={({ target }) => setOn(target.checked)}
        />
      </div>
    </Dialog>
  );
}
