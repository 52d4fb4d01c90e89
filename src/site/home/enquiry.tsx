import { ButtonLink } from "#site/ui/button.tsx";

type Props = { title: string; text: string };

export const Enquiry = ({ title, text }: Props) => (
  <section
    aria-labelledby="enquiry"
    className="grid items-end gap-x-10 gap-y-5 border-t border-ink pt-4 lg:grid-cols-12"
  >
    <div className="grid gap-3 lg:col-span-9">
      <h2 id="enquiry" className="headline text-story">
        {title}
      </h2>
      {text && <p className="max-w-[38rem] font-reading text-lg text-muted">{text}</p>}
    </div>
    <div className="lg:col-span-3 lg:justify-self-end">
      <ButtonLink to="/contact" tone="primary" size="lg">
        Get in touch
      </ButtonLink>
    </div>
  </section>
);
