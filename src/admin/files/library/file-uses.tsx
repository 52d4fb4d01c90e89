import { counted } from "#site/ui/format.ts";
import type { OpenedFile, FileUse } from "#worker/files/contract.ts";
import { describeUse } from "./describe-file.ts";
import { Link } from "#site/document/link.tsx";

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

/** The name of what uses a file: a link for those who may open it. */
export function UseLink({ use, className = "wrap-anywhere" }: { use: FileUse; className?: string }) {
  const { name, to } = describeUse(use);
  if (to === null) return <span className={className}>{name}</span>;
  return (
    <Link to={to} className={`link ${className}`}>
      {name}
    </Link>
  );
}
