import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import type { UserSummary } from "#worker/accounts/contract.ts";

type Props = { user: UserSummary | null; onClose: () => void };

export function DeleteDialog({ user, onClose }: Props) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={user !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete this user?"
      confirm="Delete user"
      busy={isBusy}
      onConfirm={() => user && void submit({ intent: "delete", id: user.id }, { method: "post" })}
    >
      {user && (
        <p className="wrap-anywhere">
          <span>{user.fullName}</span> (<span>{user.email}</span>) is signed out everywhere and can’t sign in
          again. Their work stays. To block them for a while, edit them instead.
        </p>
      )}
    </ConfirmDialog>
  );
}
