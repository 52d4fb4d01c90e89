import type { Site } from "#worker/settings/contract.ts";
import { Department } from "./department.tsx";

export function Credentials({ credentials }: { credentials: Site["credentials"] }) {
  if (credentials.length === 0) return null;
  return (
    <Department title="Credentials and Recognition" more={{ to: "/about", label: "About" }}>
      <ul className="grid gap-x-10 sm:grid-cols-2">
        {credentials.map(({ title, text }) => (
          <li key={title} className="border-b border-rule py-4 first:pt-0 sm:nth-2:pt-0">
            <h3 className="text-lg font-medium">{title}</h3>
            <p className="font-reading text-base text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Department>
  );
}
