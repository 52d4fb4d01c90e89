/** The directive of the row for reports beyond a day's limit of rows. No browser sends it. */
export const OTHER = "other";

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
