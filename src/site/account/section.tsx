import type { ReactNode } from "react";

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid max-w-xl gap-3 border-t border-rule py-8">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
);
