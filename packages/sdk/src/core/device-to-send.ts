import type { Consent, Device } from "@millrace/contract";

/** App Tracking Transparency. */
const ATT_AUTHORIZED = 3;

/** The device as it may leave it: without its advertising id if a signal forbids its use. The server withholds more. */
export function deviceToSend(device: Device, { coppa, us_privacy: usPrivacy }: Consent): Device {
  const isAllowed =
    device.lmt !== 1 &&
    (device.att_status ?? ATT_AUTHORIZED) === ATT_AUTHORIZED &&
    coppa !== 1 &&
    // US Privacy, third character: opted out of sale.
    usPrivacy?.[2]?.toUpperCase() !== "Y";
  // JSON leaves out what is undefined.
  return isAllowed ? device : { ...device, ifa: undefined };
}
