/** The outbox topic whose rows send slices of letters. */
export const SLICE_TOPIC = "letter-slice";
