import { counted } from "#site/ui/format.ts";
import type { OpenedFile } from "#worker/files/contract.ts";
import { describeUse } from "./describe-file.ts";
import { UseLink } from "./use-link.tsx";

export function FileUses({ uses, useCount }: Pick<OpenedFile, "uses" | "useCount">) {
  if (uses.length === 0) return <p className="text-sm text-muted">Not used anywhere.</p>;
  return (
    <>
      <ul className="grid text-sm">
        {uses.map((use) => (
          <li
            key={`${use.kind} ${use.item}`}
            className="flex flex-wrap gap-x-3 border-t border-rule py-2 first:border-t-0 first:pt-0"
          >
            <UseLink use={use} className="font-medium wrap-anywhere" />
            <span className="text-muted">{describeUse(use).label}</span>
          </li>
        ))}
      </ul>
      {useCount > uses.length && (
        <p className="text-sm text-muted">{`And ${counted(useCount - uses.length, "other place")}.`}</p>
      )}
    </>
  );
}
