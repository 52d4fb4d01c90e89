import { useState, type ComponentProps } from "react";
import { Button } from "#site/ui/button.tsx";

type ActionProps = { act: () => Promise<string | null> } & Omit<ComponentProps<typeof Button>, "onClick">;

/** A button that is busy until its action is done, and shows why it failed. */
export function Action({ act, ...button }: ActionProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const press = async () => {
    setBusy(true);
    setFailure(await act());
    setBusy(false);
  };
  return (
    <div>
      <Button {...button} busy={isBusy} onClick={() => void press()} />
      <Failure message={failure} />
    </div>
  );
}

export const Failure = ({ message }: { message: string | null }) =>
  message !== null && (
    <p role="alert" className="mt-3 text-sm font-medium text-danger">
      {message}
    </p>
  );
