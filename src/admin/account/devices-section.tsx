import { Badge } from "#site/ui/badge.tsx";
import { formatDateTime, formatLongDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { Session } from "#worker/accounts/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { RemovableRows } from "../lists/removable-rows.tsx";

/** The devices that are signed in, the last used first. */
type Props = {
  devices: Session[];
  /** The other devices could not be read. */
  isIncomplete: boolean;
};

export function DevicesSection({ devices, isIncomplete }: Props) {
  return (
    <FormSection
      title="Signed-in devices"
      help="Sign out any device you don’t recognise, then change your password. A new device is listed after a minute."
    >
      <RemovableRows label="Signed-in devices">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </RemovableRows>
      {isIncomplete && (
        <p className="text-sm text-danger">
          The list of other devices can’t be read at the moment. Signing them out works.
        </p>
      )}
      {(devices.length > 1 || isIncomplete) && <SignOutOthers />}
    </FormSection>
  );
}

const DeviceRow = ({ device }: { device: Session }) => (
  <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 py-3 first:pt-0">
    <div className="grid min-w-0 gap-0.5">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <span>{device.device}</span>
        {device.isCurrent && <Badge tone="accent">This device</Badge>}
      </p>
      <p className="text-sm wrap-anywhere text-muted figures">{device.address}</p>
      <p className="text-sm text-muted figures">
        Last seen <DateTime at={device.seenAt} format={device.isCurrent ? formatDateTime : formatLongDate} />
      </p>
      <p className="text-sm text-muted figures">
        Signed in <DateTime at={device.createdAt} format={formatDateTime} />
      </p>
    </div>
    {!device.isCurrent && <SignOutOne device={device} />}
  </li>
);

const SignOutOne = ({ device: { id, device, address } }: { device: Session }) => (
  <ActionButton
    intent="device"
    values={{ id, device }}
    size="sm"
    aria-label={`Sign out ${device}, ${address}`}
  >
    Sign out
  </ActionButton>
);

const SignOutOthers = () => <ActionButton intent="others">Sign out all other devices</ActionButton>;
