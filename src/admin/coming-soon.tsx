/** A tab that is not built yet. */
export const ComingSoon = ({ title, children }: { title: string; children: string }) => (
  <section className="grid gap-2">
    <h1 className="text-xl font-semibold">{title}</h1>
    <p className="max-w-xl text-muted">{children} This part is not open yet.</p>
  </section>
);
