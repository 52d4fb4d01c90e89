import type { AutomaticLetterInput } from "#worker/automatic-letters/contract.ts";
import { momentAt, toZoned } from "#worker/platform/time/zoned-time.ts";

export type Schedule = Pick<AutomaticLetterInput, "frequency" | "weekday" | "monthday" | "hour">;

const DAY = 86_400_000;
/** Days in which a time is found: more than lie between two of them. */
const SEARCHED = 40;

/** The last time of a digest that is not after `now`, in milliseconds UTC. */
export function lastTime(schedule: Schedule, timeZone: string, now: number) {
  for (const at of timesFrom(schedule, timeZone, now, -1)) if (at <= now) return at;
  throw new Error("A digest has a time in each month.");
}

/** The first time of a digest after `now`. */
export function nextTime(schedule: Schedule, timeZone: string, now: number) {
  for (const at of timesFrom(schedule, timeZone, now, 1)) if (at > now) return at;
  throw new Error("A digest has a time in each month.");
}

/** The times on the days from today on, into the future or the past. */
function* timesFrom(schedule: Schedule, timeZone: string, now: number, step: 1 | -1) {
  const today = Date.parse(`${toZoned(now, timeZone).slice(0, 10)}T00:00Z`);
  const hour = String(schedule.hour).padStart(2, "0");
  for (let days = 0; days < SEARCHED; days++) {
    const day = new Date(today + step * days * DAY);
    if (isDay(schedule, day)) yield momentAt(`${day.toISOString().slice(0, 10)}T${hour}:00`, timeZone);
  }
}

function isDay({ frequency, weekday, monthday }: Schedule, day: Date) {
  if (frequency === "weekly") return (day.getUTCDay() || 7) === weekday;
  if (frequency === "monthly") return day.getUTCDate() === Math.min(monthday, lastDayOf(day));
  return true;
}

const lastDayOf = (day: Date) =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
