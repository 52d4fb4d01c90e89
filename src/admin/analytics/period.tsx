import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { PERIODS } from "#worker/analytics/contract.ts";
import { PATH, type AskedPeriod, type PeriodProblems } from "./query.ts";

type Props = {
  asked: AskedPeriod;
  /** The days that a custom period begins with. */
  shown: { from: string; to: string };
  /** The owner’s, yyyy-mm-dd. */
  today: string;
  problems: PeriodProblems | undefined;
};

/** Chooses the days that the panel is about. The choice is the page's address. */
export function PeriodChoice({ asked, shown, today, problems }: Props) {
  const isCustom = "from" in asked;
  return (
    <div className="grid gap-4">
      <nav aria-label="Period" className="flex flex-wrap gap-1">
        {PERIODS.map((days) => (
          <Choice key={days} to={`?days=${days}`} isChosen={!isCustom && asked.days === days}>
            {`Last ${days} days`}
          </Choice>
        ))}
        <Choice to={`?from=${shown.from}&to=${shown.to}`} isChosen={isCustom}>
          Custom
        </Choice>
      </nav>
      {isCustom && <CustomPeriod key={`${asked.from} ${asked.to}`} {...{ asked, today, problems }} />}
    </div>
  );
}

type ChoiceProps = { to: string; isChosen: boolean; children: string };

const Choice = ({ to, isChosen, children }: ChoiceProps) => (
  <ButtonLink
    to={PATH + to}
    size="sm"
    tone={isChosen ? "quiet" : "bare"}
    preventScrollReset
    aria-current={isChosen ? "true" : undefined}
    className={isChosen ? "font-semibold" : undefined}
  >
    {children}
  </ButtonLink>
);

type CustomProps = Pick<Props, "today" | "problems"> & { asked: { from: string; to: string } };

/** Two days. The server validates them, so that a bookmark shows the same errors. */
function CustomPeriod({ asked, today, problems }: CustomProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problems]);
  const day = (name: "from" | "to", label: string) => (
    <TextField
      type="date"
      label={label}
      name={name}
      defaultValue={asked[name]}
      max={today}
      error={problems?.[name]}
      className="min-w-0 grid-cols-1 sm:w-40"
    />
  );
  return (
    <Form
      ref={form}
      action={PATH}
      noValidate
      preventScrollReset
      className="grid grid-cols-2 items-start gap-3 sm:flex"
    >
      {day("from", "From")}
      {day("to", "To")}
      <Button type="submit" className="justify-self-start sm:mt-[1.65rem]">
        Show
      </Button>
    </Form>
  );
}
