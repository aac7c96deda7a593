import type { ReactNode } from "react";

/** Line icons on a 24-unit grid, drawn in the text's colour; adjacent words say what they mean. */
function Icon({ children, size = 16 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const SearchIcon = ({ size = 15 }: { size?: number }) => (
  <Icon size={size}>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </Icon>
);

export const FlagIcon = () => (
  <Icon size={18}>
    <path d="M6 21V4M6 4.5c5-3 7 3 12.5 0v9c-5.5 3-7.5-3-12.5 0" />
  </Icon>
);

export const ChartIcon = () => (
  <Icon size={18}>
    <path d="M4 19.5h16M6 15.5l4-5 3.5 3 5-7" />
  </Icon>
);

export const GridIcon = () => (
  <Icon size={18}>
    <rect x="4" y="4" width="6.5" height="6.5" rx="1.5" />
    <rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5" />
    <rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5" />
    <rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5" />
  </Icon>
);

export const SwapIcon = () => (
  <Icon size={18}>
    <path d="M4 8.5h15m-4-4 4 4-4 4M20 15.5H5m4-4-4 4 4 4" />
  </Icon>
);

export const LeaveIcon = () => (
  <Icon size={18}>
    <path d="M14 4H7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7M10.5 12H20m-3.5-3.5L20 12l-3.5 3.5" />
  </Icon>
);

export const SunIcon = () => (
  <Icon size={18}>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1" />
  </Icon>
);

export const MoonIcon = () => (
  <Icon size={18}>
    <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z" />
  </Icon>
);

export const ScreenIcon = () => (
  <Icon size={18}>
    <rect x="3.5" y="5" width="17" height="11.5" rx="2" />
    <path d="M9 20h6M12 16.5V20" />
  </Icon>
);

export const UpIcon = () => (
  <Icon>
    <path d="M12 19V6m-6 5.5L12 5.5l6 6" />
  </Icon>
);

export const DownloadIcon = () => (
  <Icon size={14}>
    <path d="M12 4v11m-4.5-4L12 15.5 16.5 11M5 20h14" />
  </Icon>
);

export const PersonIcon = () => (
  <Icon size={18}>
    <circle cx="12" cy="8.5" r="3.8" />
    <path d="M4.5 20c1-3.8 3.9-5.6 7.5-5.6s6.5 1.8 7.5 5.6" />
  </Icon>
);

export const WalletIcon = () => (
  <Icon size={18}>
    <path d="M4 7.5h14.5a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H5.5A1.5 1.5 0 0 1 4 18zM4 7.5 15.5 4v3.5M16 13.5h.5" />
  </Icon>
);

export const ReceiptIcon = () => (
  <Icon size={18}>
    <path d="M6 20.5v-17l2 1.5 2-1.5 2 1.5 2-1.5 2 1.5 2-1.5v17l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5zM9.5 9.5h5M9.5 13.5h5" />
  </Icon>
);

export const MinusIcon = () => (
  <Icon size={18}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M8 12h8" />
  </Icon>
);

export const TeamIcon = () => (
  <Icon size={18}>
    <circle cx="9" cy="8.5" r="3.4" />
    <path d="M2.5 19.5c.8-3.4 3.3-5 6.5-5s5.7 1.6 6.5 5M16 5.4a3.2 3.2 0 0 1 0 6.2M18 14.9c1.9.6 3.100 2.200 3.600 4.600" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon size={14}>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 5.5A1.5 1.5 0 0 0 13.5 4h-8A1.5 1.5 0 0 0 4 5.5v8A1.5 1.5 0 0 0 5.5 15" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon size={16}>
    <path d="m5 12.5 4.5 4.5L19 7" />
  </Icon>
);

export const CrossIcon = () => (
  <Icon size={16}>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);

export const AlertIcon = () => (
  <Icon size={16}>
    <path d="M12 4 2.8 19.5h18.4L12 4ZM12 10v4.5M12 17v.2" />
  </Icon>
);

export const MailIcon = () => (
  <Icon size={26}>
    <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
    <path d="m4 7.5 8 6 8-6" />
  </Icon>
);

export const ChatIcon = () => (
  <Icon size={20}>
    <path d="M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-7l-4.5 3.8V16H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5Z" />
  </Icon>
);

export const DeskIcon = () => (
  <Icon size={18}>
    <path d="M12 3.5 19 6v6c0 4.2-3 7.2-7 8.5-4-1.3-7-4.3-7-8.5V6l7-2.5Zm-3 8.2 2.2 2.2 3.8-4" />
  </Icon>
);

export const HelpIcon = () => (
  <Icon size={18}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.5 9.6a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.2.9-1.2 1.7M12 16.8v.1" />
  </Icon>
);

export const FileIcon = () => (
  <Icon size={18}>
    <path d="M7 3.5h7L18.5 8v11a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5ZM13.5 3.5V8.5h5M9 13h6M9 16.5h4" />
  </Icon>
);

/** Points down; beside a text that opens something below it. */
export const ChevronIcon = () => (
  <Icon size={13}>
    <path d="m6 9.5 6 6 6-6" />
  </Icon>
);
