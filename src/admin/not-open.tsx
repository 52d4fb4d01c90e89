/** A tab whose part of the admin area is not there yet. */
export function NotOpen({ title, children }: { title: string; children: string }) {
  return (
    <section aria-labelledby="not-open">
      <h1 id="not-open" className="text-2xl font-semibold">
        {title}
      </h1>
      <p className="mt-2 max-w-prose text-muted">{children} This part is not open yet.</p>
    </section>
  );
}
