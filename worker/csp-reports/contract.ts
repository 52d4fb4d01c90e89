/** The directive of the row for reports beyond a day's limit of rows. No browser sends it. */
export const OTHER = "other";

/** Reports of a day that are counted: the free plan's writes are for the site's own work. */
export const MOST_REPORTS_A_DAY = 10_000;

/** Days for which counts of reports are stored. */
export const REPORTS_KEPT_DAYS = 30;

/** Counts of the last days, of one directive and host. */
export type CspReport = {
  /** Such as `img-src`, or `OTHER`. */
  directive: string;
  /** Or a keyword such as `inline`. */
  host: string;
  count: number;
  /** In UTC: yyyy-mm-dd. */
  lastDay: string;
};
