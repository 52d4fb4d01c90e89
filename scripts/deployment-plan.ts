import { gzippedBytes } from "./worker-size.ts";
import { freeBounds, plans, type Plan } from "../worker/platform/plan-limits.ts";

/** Why a deployment ended, and what to do about it. */
export class Stopped extends Error {}

const QUESTION = `Which plan of Cloudflare Workers: free or paid? (Enter: paid)
The paid one costs $5 a month. The free one includes 100,000 requests a day; signing in with a password
takes longer than its 10 ms of processor time, and fails when it happens often (docs/deploy.md#plans)`;

type PlanChoice = {
  /** The arguments of `npm run deploy -- …`. */
  args: string[];
  /** From the environment or an earlier run. */
  known: string | undefined;
  /** Whether other questions were asked, which the owner is there to answer. */
  isAsking: boolean;
  /** Null if there is no answer. */
  ask: (question: string) => Promise<string | null>;
};

/**
 * The plan to deploy to: of `--plan`, of the variable PLAN, of an earlier run, or the answer to a question. A deployment
 * that asks nothing else stays on the paid plan.
 * @throws {Stopped}
 */
export async function choosePlan({ args, known, isAsking, ask }: PlanChoice): Promise<Plan> {
  const given = argumentOf(args) ?? known;
  if (given !== undefined) return planIn(given) ?? refuse(given);
  if (!isAsking) return "paid";
  let question = QUESTION;
  for (;;) {
    const answer = await ask(question);
    if (answer === null || answer === "") return "paid";
    const plan = planIn(answer);
    if (plan) return plan;
    question = `"${answer}" is not free or paid. ${QUESTION}`;
  }
}

const planIn = (value: string) => plans.find((plan) => plan === value.toLowerCase());

function refuse(value: string): never {
  throw new Stopped(
    `The plan "${value}" is not free or paid. Use --plan free or --plan paid, or correct PLAN.`,
  );
}

/** `--plan free` or `--plan=free`; undefined without it. */
function argumentOf(args: string[]) {
  const at = args.findIndex((each) => each === "--plan" || each.startsWith("--plan="));
  if (at < 0) return undefined;
  return args[at]!.includes("=") ? args[at]!.slice("--plan=".length) : (args[at + 1] ?? "");
}

type PlannedConfiguration = {
  vars: Record<string, string>;
  limits?: unknown;
  triggers?: { crons?: string[] };
};

/**
 * The configuration for a plan: the Worker learns its plan, and the free one takes no limit of processor time of its own.
 * @throws {Stopped} for more crons than the free plan has
 */
export function configurationFor<C extends PlannedConfiguration>(plan: Plan, configuration: C): C {
  const planned = { ...configuration, vars: { ...configuration.vars, PLAN: plan } };
  if (plan === "paid") return planned;
  const { length } = configuration.triggers?.crons ?? [];
  if (length > freeBounds.crons.amount) {
    throw new Stopped(
      `wrangler.toml has ${length} crons, and the free plan allows ${freeBounds.crons.amount} in an account. ${INSTEAD}`,
    );
  }
  delete planned.limits;
  return planned;
}

/** @throws {Stopped} for a built Worker that is larger than the free plan allows */
export function refuseLargeWorker(plan: Plan, folder: string) {
  if (plan === "paid") return;
  const bytes = gzippedBytes(folder);
  const most = freeBounds.workerBytes.amount;
  if (bytes <= most) return;
  throw new Stopped(
    `The Worker has ${megabytes(bytes)} gzipped, and the free plan allows ${megabytes(most)}. Remove code that you added to it. ${INSTEAD}`,
  );
}

const INSTEAD = "Or deploy to the paid plan: npm run deploy -- --plan paid";

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
