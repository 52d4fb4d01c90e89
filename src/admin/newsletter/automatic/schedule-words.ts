import type {
  AutomaticLetterInput,
  Frequency,
  ItemChoice,
  Mode,
} from "#worker/automatic-letters/contract.ts";

export const LIST = "/admin/newsletter/automatic";

export const frequencyNames: Record<Frequency, string> = {
  publication: "After each publication",
  daily: "Every day",
  weekly: "Every week",
  monthly: "Every month",
};

export const itemNames: Record<ItemChoice, string> = {
  both: "Episodes and essays",
  episode: "Episodes",
  article: "Essays",
};

export const modeNames: Record<Mode, string> = {
  hold: "Wait for my approval",
  send: "Send automatically",
};

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export const hourName = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

export const monthdayName = (day: number) => (day > 28 ? `${day}, or the last day` : String(day));

type Schedule = Pick<AutomaticLetterInput, "frequency" | "weekday" | "monthday" | "hour">;

/** "Every week on Monday at 09:00" */
export function scheduleInWords({ frequency, weekday, monthday, hour }: Schedule) {
  const at = `at ${hourName(hour)}`;
  if (frequency === "publication") return frequencyNames.publication;
  if (frequency === "daily") return `Every day ${at}`;
  if (frequency === "weekly") return `Every week on ${weekdays[weekday - 1]} ${at}`;
  return `Every month on the ${monthdayName(monthday)} ${at}`;
}
