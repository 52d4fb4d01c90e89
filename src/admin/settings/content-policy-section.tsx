import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDay, grouped } from "#site/ui/format.ts";
import {
  MOST_REPORTS_A_DAY,
  OTHER,
  REPORTS_KEPT_DAYS,
  type CspReport,
} from "#worker/csp-reports/contract.ts";
import { FormSection } from "../form/section.tsx";
import { TableHead } from "../lists/table-head.tsx";

/** What browsers blocked on the site's pages, and what to do. */
export const ContentPolicySection = ({ reports }: { reports: CspReport[] }) => (
  <FormSection
    title="Blocked by the content policy"
    help={`What browsers refused to load on this site’s pages in the last ${REPORTS_KEPT_DAYS} days, by their own reports. Nothing of the visitor is stored, and reports about browser extensions are not counted.`}
  >
    {reports.length === 0 ? (
      <p>Nothing was reported.</p>
    ) : (
      <>
        <p className="text-sm text-muted">
          {`Each was stopped, so a few need nothing from you. Anyone can send a report: never allow a host only because it is listed here. On a day with more than ${grouped(MOST_REPORTS_A_DAY)} reports, further ones are listed but not counted.`}
        </p>
        <table className="w-full text-left text-sm">
          <TableHead columns={["Blocked", "What to do", { figures: "Reports" }, "Last"]} cardsBelow="md" />
          <tbody>
            {reports.map((report) => (
              <ReportRow key={`${report.directive} ${report.host}`} {...report} />
            ))}
          </tbody>
        </table>
      </>
    )}
  </FormSection>
);

/** On narrow screens each row is a block. */
const ReportRow = ({ directive, host, count, lastDay }: CspReport) => (
  <tr className="border-b border-rule align-top max-md:grid max-md:gap-y-0.5 max-md:py-3 md:*:py-2 md:*:pr-4 md:*:last:pr-0">
    <td className="wrap-anywhere">
      <span className="block font-medium">{nameOf(directive, host)}</span>
      {directive !== OTHER && <span className="block text-muted">{directive}</span>}
    </td>
    <td>{adviceOn(directive, host)}</td>
    <td className="figures md:text-right">
      <span>{grouped(count)}</span>
      <span className="md:sr-only">{count === 1 ? " report" : " reports"}</span>
    </td>
    <td className="whitespace-nowrap text-muted figures">
      <DateTime at={Date.parse(lastDay)} dateTime={lastDay} format={formatShortDay} />
    </td>
  </tr>
);

/** By the beginning of a directive's name. */
const kinds: [start: string, name: string, advice: string][] = [
  [
    "script",
    "Script",
    "If many are reported, look for it in your latest texts. A tag manager’s tag may load scripts of more hosts than are allowed.",
  ],
  ["style", "Style", "If a page looks wrong, write its text again without pasted styles."],
  ["img", "Picture", "Upload the picture to your files, and use that address in the text."],
  ["media", "Sound or video", "Upload the recording to your files, and use that address."],
  ["font", "Font", "Nothing: the site has its own fonts."],
  ["frame", "Page in a frame", "For a campaign, add its host under General, Campaigns. Otherwise nothing."],
  ["connect", "Request of a script", "If your tag manager sends to this host, it can’t. Otherwise nothing."],
  ["form", "Form", "Forms can only be sent to this site. Replace the form by a link."],
];

const UNKNOWN = ["Something else", "Nothing, unless a page doesn’t work."] as const;

const kindOf = (directive: string) => {
  const [, name, advice] = kinds.find(([start]) => directive.startsWith(start)) ?? [];
  return name && advice ? [name, advice] : UNKNOWN;
};

function nameOf(directive: string, host: string) {
  if (directive === OTHER) return "All others";
  const [name] = kindOf(directive);
  return isInline(host) ? `${name} inside a page` : `${name} from ${origins[host] ?? host}`;
}

const isInline = (host: string) => host === "inline" || host === "eval";

const origins: Record<string, string> = { "ip-address": "an IP address", data: "a data: address" };

function adviceOn(directive: string, host: string) {
  if (directive === OTHER)
    return "On some day there were too many different ones to list. Probably they are made up.";
  if (isInline(host))
    return "A text or a visitor’s program put it into the page. If many are reported, look through your latest texts.";
  return kindOf(directive)[1];
}
