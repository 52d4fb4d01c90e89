import { Link } from "#site/document/link.tsx";
import { counted } from "#site/ui/format.ts";
import type { OpenedFile } from "#worker/files/contract.ts";
import { describeUse } from "./names.ts";

export function FileUses({ uses, useCount }: Pick<OpenedFile, "uses" | "useCount">) {
  if (uses.length === 0) return <p className="text-sm text-muted">Nowhere.</p>;
  return (
    <>
      <ul className="grid text-sm">
        {uses.map((use) => {
          const { label, name, to } = describeUse(use);
          return (
            <li
              key={to}
              className="flex flex-wrap gap-x-3 border-t border-rule py-2 first:border-t-0 first:pt-0"
            >
              <Link to={to} className="link font-medium wrap-anywhere">
                {name}
              </Link>
              <span className="text-muted">{label}</span>
            </li>
          );
        })}
      </ul>
      {useCount > uses.length && (
        <p className="text-sm text-muted">And {counted(useCount - uses.length, "other place")}.</p>
      )}
    </>
  );
}
