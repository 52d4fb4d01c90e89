import { useEffect, useState, type ReactNode } from "react";
import { api, readJson } from "#site/api.ts";
import { Link } from "#site/document/link.tsx";
import { counted } from "#site/ui/format.ts";
import type { FeedCheck } from "#worker/episodes/contract.ts";
import { formatSize } from "../files/format.ts";

/** The health of the podcast's feed. Requested after the page has loaded, since it renders the feed. */
export function FeedHealth() {
  const [check, setCheck] = useState<FeedCheck | "asked" | "failed">("asked");
  useEffect(() => {
    let isLeft = false;
    const show = (found: FeedCheck | "failed") => !isLeft && setCheck(found);
    readJson(api.desk.feed.$get()).then(show, () => show("failed"));
    return () => {
      isLeft = true;
    };
  }, []);
  return (
    <Line title="Feed">
      <span role="status">
        <Health check={check} />
      </span>
    </Line>
  );
}

function Health({ check }: { check: FeedCheck | "asked" | "failed" }) {
  if (check === "asked") return <span className="text-muted">Checking…</span>;
  if (check === "failed") return <span className="text-muted">It couldn’t be checked just now.</span>;
  switch (check.state) {
    case "none":
      return (
        <span>
          There’s no feed until{" "}
          <Link to="/admin/podcast/show" className="link">
            the podcast is described
          </Link>
          .
        </span>
      );
    case "moved":
      return <span>{`It redirects to ${check.to}.`}</span>;
    case "broken":
      return (
        <strong className="font-medium text-danger">
          The feed can’t be built: apps keep the last version they read. See the log for the reason.
        </strong>
      );
    case "ok":
      return <Facts {...check} />;
  }
}

type Facts = Extract<FeedCheck, { state: "ok" }>;

function Facts({ items, bytes, maxBytes, problems }: Facts) {
  return (
    <span>
      <span>{`${counted(items, "episode")}, ${formatSize(bytes)} of ${formatSize(maxBytes)}. `}</span>
      {problems.length === 0 ? (
        <span className="text-muted">No problems found.</span>
      ) : (
        <span>
          <strong className="font-medium text-danger">{problems.join(" ")}</strong>{" "}
          <Link to="/admin/podcast/show" className="link">
            The podcast
          </Link>
        </span>
      )}
    </span>
  );
}

/** A term of the panel's list, and its content. */
export const Line = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid grid-cols-[6.5rem_1fr] gap-3">
    <dt className="text-muted">{title}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
);
