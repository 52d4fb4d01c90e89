/** Space behind the end of a page, which something fixed would cover. It overflows: the footer of a short page stays. */
export const EndRoom = ({ height }: { height: string }) => (
  <div aria-hidden className="print:hidden" style={{ height, marginBottom: `calc(-1 * ${height})` }} />
);
