import { Stopped } from "./deployment-plan.ts";

const QUESTION = `Copy the database and the files every night into a second bucket, and try the copies every week: yes or no? (Enter: yes)
It creates a bucket and a database. The copies of a year need some twenty times the space of the database, and once that of
the files; the first 10 GB of R2 are free (docs/deploy.md#copies)`;

type CopiesChoice = {
  /** The arguments of `npm run deploy -- …`. */
  args: string[];
  /** From the environment or an earlier run. */
  known: string | undefined;
  /** Whether other questions were asked, which the owner is there to answer. */
  isAsking: boolean;
  /** Whether an earlier deployment created the bucket of copies. */
  hasBucket: () => Promise<boolean>;
  /** Null if there is no answer. */
  ask: (question: string) => Promise<string | null>;
};

/**
 * Whether copies are made: by `--copies`, the variable COPIES, an earlier run, or the answer to a question. A deployment
 * that asks nothing else creates nothing for them, and continues them if their bucket exists.
 * @throws {Stopped}
 */
export async function chooseCopies({
  args,
  known,
  isAsking,
  hasBucket,
  ask,
}: CopiesChoice): Promise<boolean> {
  const given = argumentOf(args) ?? known;
  if (given !== undefined) return answerIn(given) ?? refuse(given);
  if (!isAsking) return hasBucket();
  let question = QUESTION;
  for (;;) {
    const answer = await ask(question);
    if (answer === null) return false;
    const isYes = answer === "" ? true : answerIn(answer);
    if (isYes !== undefined) return isYes;
    question = `"${answer}" is not yes or no. ${QUESTION}`;
  }
}

const answerIn = (value: string) =>
  ({ yes: true, y: true, no: false, n: false })[value.toLowerCase()] as boolean | undefined;

function refuse(value: string): never {
  throw new Stopped(`"${value}" is not yes or no. Use --copies yes or --copies no, or correct COPIES.`);
}

/** `--copies yes` or `--copies=yes`; undefined without it. */
function argumentOf(args: string[]) {
  const at = args.findIndex((each) => each === "--copies" || each.startsWith("--copies="));
  if (at < 0) return undefined;
  return args[at]!.includes("=") ? args[at]!.slice("--copies=".length) : (args[at + 1] ?? "");
}

const BUCKET = "BACKUP";
const DATABASE = "DRILL";

type Bound = {
  r2_buckets: { binding: string; bucket_name: string }[];
  d1_databases: { binding: string }[];
};

/**
 * The configuration without the bucket and the database of copies, unless they are wanted. With the
 * variable, the site does not report that its last copy is old.
 */
export const withCopies = <C extends Bound & { vars: Record<string, string> }>(
  areWanted: boolean,
  configuration: C,
): C =>
  areWanted
    ? configuration
    : {
        ...configuration,
        vars: { ...configuration.vars, COPIES: "no" },
        r2_buckets: configuration.r2_buckets.filter(({ binding }) => binding !== BUCKET),
        d1_databases: configuration.d1_databases.filter(({ binding }) => binding !== DATABASE),
      };

/** What the Worker never deletes within 30 days is locked for as long. */
const LOCKED = { "rostrum-copies": "copies/", "rostrum-files": "files/" };
const LOCK_DAYS = 30;

/**
 * Locks the copies for 30 days, so that an intruder in the Worker cannot delete or overwrite a younger one. Rules that
 * exist stay. Returns the commands to run by hand, for the locks that Cloudflare refuses.
 */
export async function lockCopies(
  { r2_buckets }: Bound,
  wrangler: (args: string[]) => Promise<string>,
): Promise<string[]> {
  const bucket = r2_buckets.find(({ binding }) => binding === BUCKET)?.bucket_name;
  if (bucket === undefined) return [];
  const rules = await wrangler(["r2", "bucket", "lock", "list", bucket]).catch(() => "");
  const refused: string[] = [];
  for (const [name, prefix] of Object.entries(LOCKED)) {
    if (rules.includes(name)) continue;
    const options = ["--retention-days", `${LOCK_DAYS}`, "-y"];
    const add = ["r2", "bucket", "lock", "add", bucket, name, prefix, ...options];
    try {
      await wrangler(add);
      console.log(`  locked ${prefix} of the bucket ${bucket} for ${LOCK_DAYS} days`);
    } catch {
      refused.push(`npx wrangler ${add.join(" ")}`);
    }
  }
  return refused;
}
