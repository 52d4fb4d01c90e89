import type { ReactNode } from "react";
import { api, ensureOk } from "#site/api.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, grouped } from "#site/ui/format.ts";
import type { BackupState, DrillReport, RunFacts } from "#worker/backups/contract.ts";
import { formatSize } from "../files/format.ts";
import { ActionButton } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { act, intentOf } from "../form/submit.ts";

const COPY = "copy";
const DRILL = "drill";

/** The body of the `clientAction`. */
export const beginRun = (form: FormData) =>
  intentOf(form) === DRILL
    ? act(form, async () => {
        await ensureOk(api.backups.drills.$post());
        return "The drill has begun. It takes some minutes";
      })
    : act(form, async () => {
        await ensureOk(api.backups.copies.$post());
        return "The copy has begun. It takes some minutes";
      });

/** The newest copy and drill, and what to do. */
export function CopiesSection({ backups }: { backups: BackupState }) {
  const { bucket, database, copy, drill, lastCopy, lastDrill, problems } = backups;
  if (!bucket)
    return (
      <CopiesFrame>
        <p>
          <strong className="font-medium text-danger">No copies are made.</strong> If this site’s account or
          database were lost, nothing here could bring them back.
        </p>
        <Remedy />
      </CopiesFrame>
    );
  return (
    <CopiesFrame>
      <dl className="grid gap-4">
        <Fact title="Last copy">
          {lastCopy ? (
            <>
              <DateTime at={lastCopy.finishedAt} format={formatDateTime} />
              <Detail>
                {`${grouped(lastCopy.report.rows)} rows of ${lastCopy.report.tables} tables, ${counted(lastCopy.report.files, "file")} of ${formatSize(lastCopy.report.fileBytes)}. Each was read back and compared.`}
              </Detail>
            </>
          ) : (
            <span>None yet. The first one is made at 03:17 UTC, or when you press Copy now.</span>
          )}
          {problems.includes("copy-old") && (
            <Warning>
              There has been no copy for two days. Press Copy now, and look here again in some minutes.
            </Warning>
          )}
          <Running run={copy} noun="copy" />
        </Fact>
        {database && (
          <Fact title="Last drill">
            {lastDrill ? (
              <>
                <DateTime at={lastDrill.finishedAt} format={formatDateTime} />
                <Detail>{passed(lastDrill.report)}</Detail>
              </>
            ) : (
              <span>None has passed yet. One is made each week.</span>
            )}
            {problems.includes("drill-late") && (
              <Warning>No drill has ended for ten days. Press Run the drill now.</Warning>
            )}
            <Running run={drill} noun="drill" />
          </Fact>
        )}
      </dl>
      <ButtonRow>
        <ActionButton intent={COPY}>Copy now</ActionButton>
        {database && copy && <ActionButton intent={DRILL}>Run the drill now</ActionButton>}
      </ButtonRow>
      {!database && (
        <div className="grid gap-2">
          <p>
            <strong className="font-medium text-danger">The copies are not tried:</strong> there is no
            database to restore them in.
          </p>
          <Remedy />
        </div>
      )}
      <p className="text-sm text-muted">
        How to get back from a copy is in docs/deploy.md, for the person who runs the installation.
      </p>
    </CopiesFrame>
  );
}

const CopiesFrame = ({ children }: { children: ReactNode }) => (
  <FormSection
    title="Copies"
    help="Each night the database and the new files are copied into a second bucket. All copies of the last 30 days stay, then one of each week for five weeks, and one of each month for a year. Each week a drill restores the newest one into a database of its own and compares it."
  >
    {children}
  </FormSection>
);

const Remedy = () => (
  <p className="text-sm text-muted">
    The person who runs the installation can add what is missing with{" "}
    <code className="whitespace-nowrap">npm run deploy -- --copies yes</code>.
  </p>
);

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid gap-1">
    <dt className="font-medium">{title}</dt>
    <dd className="grid justify-items-start gap-1">{children}</dd>
  </div>
);

const Detail = ({ children }: { children: string }) => <span className="text-sm text-muted">{children}</span>;

const Warning = ({ children }: { children: string }) => <strong className="text-danger">{children}</strong>;

/** The newest run, if it has not succeeded. */
function Running({ run, noun }: { run: RunFacts | null; noun: "copy" | "drill" }) {
  if (!run || run.state === "done") return null;
  if (run.state === "failed")
    return (
      <Warning>
        {`The newest ${noun} failed: ${run.problem} ${noun === "drill" ? "Press Copy now, then Run the drill now." : "Press Copy now."} If it fails again, ask the person who runs the installation. Older copies are unchanged.`}
      </Warning>
    );
  return (
    <span className="text-sm">
      <span>{noun === "copy" ? "A copy is being made, begun " : "A drill is running, begun "}</span>
      <DateTime at={run.startedAt} format={formatDateTime} />
      {run.problem !== null && <span>{`. Its last step is tried again: ${run.problem}`}</span>}
    </span>
  );
}

const feeds: Record<DrillReport["feed"], string> = {
  same: "The podcast’s feed was the same, byte for byte.",
  changed: "The podcast’s feed was not compared, since it was edited during the copy, or did not exist yet.",
  updated: "The podcast’s feed was not compared, since the site was updated after the copy.",
};

const passed = ({ tables, rows, isRestored, files, hashed, feed }: DrillReport) =>
  isRestored
    ? `Passed: ${grouped(rows)} rows of ${tables} tables and ${counted(files, "file")} are the same. Read in full: ${counted(hashed, "file")}. ${feeds[feed]}`
    : `Passed: the copy’s bytes, with ${grouped(rows)} rows of ${tables} tables, and ${counted(files, "file")} are the same. Read in full: ${counted(hashed, "file")}. It was not restored: that would use up the writes that Cloudflare’s free plan allows a day.`;

const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
