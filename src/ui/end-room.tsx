/** Space at the end of a page for a fixed bar. It overflows, so that the footer of a short page does not move. */
export const EndRoom = ({ height }: { height: string }) => (
  <div aria-hidden className="print:hidden" style={{ height, marginBottom: `calc(-1 * ${height})` }} />
);
