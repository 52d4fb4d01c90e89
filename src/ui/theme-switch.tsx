import { useAtom } from "jotai";
import { Monitor, Moon, Sun } from "./icons.tsx";
import { themeAtom, themes, type Theme } from "./theme.ts";

const faces: Record<Theme, { label: string; Icon: typeof Sun }> = {
  system: { label: "System", Icon: Monitor },
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
};

/** A page may have several, each with its own group name. */
export function ThemeSwitch({ group }: { group: string }) {
  const [theme, choose] = useAtom(themeAtom);
  return (
    <fieldset className="script-only inline-flex max-w-full flex-wrap justify-self-start rounded-md border border-edge">
      <legend className="sr-only">Colour theme</legend>
      {themes.map((name) => (
        <Choice key={name} group={group} name={name} chosen={name === theme} onChoose={() => choose(name)} />
      ))}
    </fieldset>
  );
}

type ChoiceProps = { group: string; name: Theme; chosen: boolean; onChoose: () => void };

function Choice({ group, name, chosen, onChoose }: ChoiceProps) {
  const { label, Icon } = faces[name];
  return (
    <label
      className={
        "flex h-9 items-center gap-2 px-3 text-sm text-muted has-checked:bg-tint has-checked:text-ink " +
        "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
      }
    >
      <input
        type="radio"
        name={group}
        value={name}
        checked={chosen}
        onChange={onChoose}
        className="sr-only"
      />
      <Icon aria-hidden size={15} strokeWidth={1.75} />
      <span>{label}</span>
    </label>
  );
}
