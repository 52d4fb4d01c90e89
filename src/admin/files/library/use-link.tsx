import { Link } from "#site/document/link.tsx";
import type { FileUse } from "#worker/files/contract.ts";
import { describeUse } from "./describe-file.ts";

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
