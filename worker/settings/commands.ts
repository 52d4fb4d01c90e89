import { eq, sql, type SQL } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRowIf } from "#worker/accounts/audit-log.ts";
import { fewerAlertsRows } from "#worker/accounts/log-alerts.ts";
import { contactChangedRows } from "#worker/accounts/notices.ts";
import { securityEventNames, type SecurityEventKind } from "#worker/accounts/contract.ts";
import { isNetwork } from "#worker/analytics/agents.ts";
import { sendMessage } from "#worker/analytics/messages.ts";
import { touchFeed } from "#worker/episodes/feed-date.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { ADDRESS_FAULTS, whyNotSent } from "#worker/platform/http/outgoing.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { logError } from "#worker/platform/log.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { SiteChange, siteDefaults, type Settings, type Site } from "#worker/settings/contract.ts";
import {
  alertsSetting,
  breachServiceSetting,
  consentSetting,
  contactSetting,
  hubSetting,
  op3Setting,
  patreonSetting,
  preloadSetting,
  readSettings,
  readSite,
  replyToSetting,
  retentionSetting,
  settingsColumns,
  siteUpdatedAt,
  tagsSetting,
  disclosureSetting,
  proposalsSetting,
  transcriptionSetting,
  toSettings,
} from "#worker/settings/queries.ts";
import { isOwnSender, sendingDomain } from "#worker/settings/sender.ts";
import { settings } from "#worker/settings/table.ts";
import { currentTimeZone } from "#worker/settings/time-zones.ts";
import { hubFault } from "#worker/websub/hub.ts";

/**
 * Changes the given parts only, so that concurrent changes of other parts survive.
 * @throws `unauthenticated`, `forbidden`; `reauthentication_required` for what `requireProof` names; `invalid`; `conflict` when the settings were changed since `basedOn`
 */
export async function updateSite(ctx: Context, input: SiteChange): Promise<Settings> {
  requireCapability("settings", ctx);
  const { basedOn, ...site } = parseInput(SiteChange, input);
  if (site.email) requireOwnSender(ctx, site.email);
  if (site.hubUrl) requireHub(ctx, site.hubUrl);
  if (site.passwords?.breachService) requireService(ctx, site.passwords.breachService);
  if (site.transcription) requireServer(ctx, "transcription", site.transcription);
  if (site.proposals) requireServer(ctx, "proposals", site.proposals);
  if (site.analytics) requireNetworks(site.analytics.dataCentres);
  const before = await readSite(ctx);
  requireProof(ctx, site, before);
  if (site.timeZone) site.timeZone = await currentTimeZone(site.timeZone);
  const save = ctx.db
    .insert(settings)
    .values({ id: 1, site, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: settings.id,
      set: {
        site: withParts(site),
        // Always increases, so that each version is distinguishable.
        updatedAt: sql`max(excluded.updated_at, ${settings.updatedAt} + 1)`,
      },
      setWhere: basedOn === undefined ? undefined : eq(settings.updatedAt, new Date(basedOn)),
    })
    .returning(settingsColumns);
  // Computed before the save: a refused save must expire nothing.
  const isCurrent =
    basedOn === undefined ? sql`true` : sql`coalesce(${siteUpdatedAt}, ${basedOn}) = ${basedOn}`;
  const notices = await noticesOf(ctx, site, before);
  const [, , , , , , , , , , , , , [saved]] = await ctx.db.batch([
    changed(ctx, sql`select 'site' as tag where ${isCurrent}`),
    ...changedFeed(ctx, site, isCurrent),
    ...recordOthers(ctx, site, isCurrent),
    save,
    ...notices.map(({ statement }) => statement),
  ]);
  if (saved) {
    enqueue(ctx, ...notices.map(({ id }) => id));
    if (site.timeZone) ctx.later(tellTimeZone(ctx));
    return toSettings(ctx, saved);
  }
  const current = await readSettings(ctx);
  const stored = { ...current.site, updatedAt: new Date(current.updatedAt) };
  if (isRepeated({ basedOn, stored, given: () => site, changedElsewhere })) return current;
  throw changedElsewhere();
}

/** The rows of the notices about a change, written after it and only with it. */
async function noticesOf(ctx: Context, { contactEmail, alerts }: Partial<Site>, before: Site) {
  const removed = alerts ? before.alerts.kinds.filter((kind) => !alerts.kinds.includes(kind)) : [];
  const isSaved = (key: keyof Site, value: unknown) =>
    sql`exists (select 1 from ${settings} where ${settings.site} -> ${key} = json(${JSON.stringify(value)}))`;
  return [
    ...(contactEmail === undefined || contactEmail === before.contactEmail
      ? []
      : await contactChangedRows(ctx, contactEmail, isSaved("contactEmail", contactEmail))),
    ...(alerts && removed.length > 0 ? await fewerAlertsRows(ctx, removed, isSaved("alerts", alerts)) : []),
  ];
}

/** Analytics groups figures by its days. The next counted event would also trigger the regrouping. */
const tellTimeZone = ({ events }: Context) =>
  sendMessage(events, { kind: "zone", id: crypto.randomUUID() }).catch((error: unknown) =>
    logError("settings: the time zone was not told", error),
  );

const changedElsewhere = () =>
  new AppError("conflict", "The settings were changed elsewhere since you opened them.");

/** The statements that expire the podcast's feed if a setting that it shows changes: hub, prefix, support link or disclosure. */
function changedFeed(
  ctx: Context,
  { hubUrl, analytics, features, disclosesGenerated: discloses }: Partial<Site>,
  isCurrent: SQL,
) {
  const hub = hubUrl === undefined ? sql`false` : sql`${hubSetting} <> ${hubUrl}`;
  const prefix = analytics === undefined ? sql`false` : sql`${op3Setting} <> ${Number(analytics.op3)}`;
  const support = features === undefined ? sql`false` : sql`${patreonSetting} <> ${Number(features.patreon)}`;
  const disclosure = discloses === undefined ? sql`false` : sql`${disclosureSetting} <> ${Number(discloses)}`;
  const isOther = sql`${isCurrent} and (${hub} or ${prefix} or ${support} or ${disclosure})`;
  return [changed(ctx, sql`select 'hub' as tag where ${isOther}`), touchFeed(ctx, isOther)] as const;
}

/** The audit log rows for changes of third-party services that process people's data, and of what `requireProof` names. */
function recordOthers(ctx: Context, site: Partial<Site>, isCurrent: SQL) {
  const { tagManager, analytics, transport, alerts, passwords, contactEmail, retention } = site;
  const { transcription, proposals } = site;
  const replyTo = site.email?.replyTo;
  const email = actorEmail(ctx);
  const recordIf = (kind: SecurityEventKind, detail: string, isOther: SQL) =>
    eventRowIf(ctx, { kind, email, detail }, sql`${isCurrent} and ${isOther}`);
  return [
    recordIf("tags_changed", tagsDetail(tagManager), tagManager ? areOtherTags(tagManager) : sql`false`),
    recordIf(
      "op3_changed",
      analytics?.op3 ? "on" : "off",
      analytics ? sql`${op3Setting} <> ${Number(analytics.op3)}` : sql`false`,
    ),
    recordIf(
      "preload_changed",
      transport?.preload ? "on" : "off",
      transport ? sql`${preloadSetting} <> ${Number(transport.preload)}` : sql`false`,
    ),
    recordIf(
      "alerts_changed",
      alerts?.kinds.map((kind) => securityEventNames[kind]).join(", ") || "none",
      alerts ? sql`${alertsSetting} <> ${JSON.stringify(alerts.kinds)}` : sql`false`,
    ),
    recordIf(
      "password_service_changed",
      passwords?.breachService || "none",
      passwords ? sql`${breachServiceSetting} <> ${passwords.breachService}` : sql`false`,
    ),
    recordIf(
      "contact_changed",
      contactEmail || "none",
      contactEmail === undefined ? sql`false` : sql`${contactSetting} <> ${contactEmail}`,
    ),
    recordIf(
      "reply_to_changed",
      replyTo || "none",
      replyTo === undefined ? sql`false` : sql`${replyToSetting} <> ${replyTo}`,
    ),
    recordIf(
      "retention_changed",
      retentionDetail(retention),
      retention ? isOtherRetention(retention) : sql`false`,
    ),
    recordIf(
      "transcription_changed",
      serviceDetail(transcription),
      transcription
        ? sql`coalesce(${transcriptionSetting}, ${JSON.stringify(siteDefaults.transcription)}) <> ${JSON.stringify(transcription)}`
        : sql`false`,
    ),
    recordIf(
      "proposals_changed",
      serviceDetail(proposals),
      proposals
        ? sql`coalesce(${proposalsSetting}, ${JSON.stringify(siteDefaults.proposals)}) <> ${JSON.stringify(proposals)}`
        : sql`false`,
    ),
  ] as const;
}

/** Without tags the consent setting does not matter. */
const areOtherTags = ({ id, needsConsent }: Site["tagManager"]) =>
  sql`(${tagsSetting} <> ${id} or (${id} <> '' and ${consentSetting} <> ${Number(needsConsent)}))`;

const tagsDetail = ({ id, needsConsent }: Site["tagManager"] = siteDefaults.tagManager) =>
  id === "" ? "none" : needsConsent ? id : `${id}, without asking`;

const isOtherRetention = (retention: Site["retention"]) =>
  sql`coalesce(${retentionSetting}, ${JSON.stringify(siteDefaults.retention)}) <> ${JSON.stringify(retention)}`;

const retentionDetail = ({ enquiries, comments }: Site["retention"] = siteDefaults.retention) =>
  `months: enquiries ${monthsOf(enquiries)}, comments ${monthsOf(comments)}`;

const monthsOf = (months: number | null) => months ?? "unlimited";

/** Who gets the recordings, or the transcripts. */
const serviceDetail = ({ service, url, model }: ModelSettings = siteDefaults.transcription) =>
  service === "off" ? "off" : `${service === "server" ? url : "Workers AI"}, ${model}`;

/**
 * What a stolen session must not change: the preload list, since a listed domain cannot be reached without HTTPS for months; which
 * security events the owner is informed about; the service that learns of new passwords and can refuse them; the addresses that
 * get enquiries and answers; how soon enquiries and comments are deleted; the script of another company on all pages; and who gets
 * the recordings, the transcripts and the keys of the servers that read them.
 */
function requireProof(ctx: Context, site: Partial<Site>, stored: Site) {
  const isOther = (part: unknown, before: unknown) =>
    part !== undefined && JSON.stringify(part) !== JSON.stringify(before);
  const isOtherPreload = isOther(site.transport, stored.transport);
  if (isOtherPreload) requireCapability("transport", ctx);
  const { retention = stored.retention } = site;
  if (
    isOtherPreload ||
    isOther(site.alerts, stored.alerts) ||
    isOther(site.passwords, stored.passwords) ||
    isOther(site.contactEmail, stored.contactEmail) ||
    isOther(site.email?.replyTo, stored.email.replyTo) ||
    isOther(site.tagManager, stored.tagManager) ||
    isOther(site.transcription, stored.transcription) ||
    isOther(site.proposals, stored.proposals) ||
    isShorter(retention.enquiries, stored.retention.enquiries) ||
    isShorter(retention.comments, stored.retention.comments)
  )
    requireRecentProof(ctx);
}

/** Months; null is for good. */
const isShorter = (months: number | null, before: number | null) =>
  months !== null && (before === null || months < before);

/** The service gets a part of each new password’s hash, and can refuse a password. */
function requireService({ config }: Context, breachService: string) {
  const url = new URL(breachService);
  const why = whyNotSent(url, config.loopback);
  const hasQuery = url.search !== "" || url.hash !== "";
  const fault = why ? ADDRESS_FAULTS[why] : hasQuery && "End the address before “?” or “#”.";
  if (fault) throw new AppError("invalid", fault, { field: "passwords.breachService" });
}

type ModelSettings = Pick<Site["transcription"], "service" | "url" | "model">;

/** The server gets the recordings or transcripts, and its key. */
function requireServer(
  { config }: Context,
  part: "transcription" | "proposals",
  { service, url }: ModelSettings,
) {
  const why = url === "" ? null : whyNotSent(new URL(url), config.loopback);
  const isMissing = service === "server" && url === "";
  const fault = isMissing ? "Enter the address of the server." : why && ADDRESS_FAULTS[why];
  if (fault) throw new AppError("invalid", fault, { field: `${part}.url` });
}

function requireHub({ config }: Context, hubUrl: string) {
  const fault = hubFault(hubUrl, config.siteUrl);
  if (fault) throw new AppError("invalid", fault, { field: "hubUrl" });
}

function requireNetworks(lines: string[]) {
  const at = lines.findIndex((line) => !isNetwork(line));
  if (at < 0) return;
  throw new AppError("invalid", `“${lines[at]}” isn’t a network. Write it such as 192.0.2.0/24 or AS16509.`, {
    field: `analytics.dataCentres.${at}`,
  });
}

function requireOwnSender({ config }: Context, { fromEmail }: Site["email"]) {
  if (fromEmail === "" || isOwnSender(fromEmail, config)) return;
  throw new AppError(
    "invalid",
    `Use an address at ${sendingDomain(config)}. Email from another domain would be rejected or land in spam.`,
    { field: "email.fromEmail" },
  );
}

/** The stored settings with these parts replaced. */
function withParts(site: Partial<Site>): SQL {
  const parts = Object.entries(site).filter(([, value]) => value !== undefined);
  if (parts.length === 0) return sql`${settings.site}`;
  const pairs = parts.map(([name, value]) => sql`${`$.${name}`}, json(${JSON.stringify(value)})`);
  return sql`json_set(${settings.site}, ${sql.join(pairs, sql`, `)})`;
}
