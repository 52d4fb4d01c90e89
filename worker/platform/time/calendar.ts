/** The same day and time `months` earlier, in UTC; the last day of a shorter month. */
export function monthsBefore(time: Date, months: number) {
  const before = new Date(time);
  before.setUTCMonth(time.getUTCMonth() - months, 1);
  const last = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate();
  before.setUTCDate(Math.min(time.getUTCDate(), last));
  return before;
}
