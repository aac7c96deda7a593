import type { PageSources } from "../../platform/http/secure-headers.ts";

const CONNECTED = [
  "via.intercom.io",
  "api.intercom.io",
  "api.au.intercom.io",
  "api.eu.intercom.io",
  "api-iam.intercom.io",
  "api-iam.eu.intercom.io",
  "api-iam.au.intercom.io",
  "api-ping.intercom.io",
  "uploads.intercomcdn.com",
  "uploads.intercomcdn.eu",
  "uploads.au.intercomcdn.com",
  "uploads.eu.intercomcdn.com",
  "uploads.intercomusercontent.com",
];
/** Asked over HTTPS and WebSocket. */
const LIVE = [
  "*.intercom-messenger.com",
  "nexus-websocket-a.intercom.io",
  "nexus-websocket-b.intercom.io",
  "nexus-europe-websocket.intercom.io",
  "nexus-australia-websocket.intercom.io",
];
const https = (host: string) => `https://${host}`;

/**
 * The sources of a page with the support chat, as Intercom documents them ("Using Intercom with Content Security
 * Policy"). Our pages allow images from every HTTPS host anyway.
 */
export const CHAT_SOURCES: PageSources = {
  "script-src": ["https://app.intercom.io", "https://widget.intercom.io", "https://js.intercomcdn.com"],
  // The messenger writes its styles into the page, and knows no nonce.
  "style-src": ["'unsafe-inline'"],
  "img-src": ["blob:"],
  "font-src": ["https://js.intercomcdn.com", "https://fonts.intercomcdn.com"],
  "media-src": [
    "https://js.intercomcdn.com",
    "https://downloads.intercomcdn.com",
    "https://downloads.intercomcdn.eu",
    "https://downloads.au.intercomcdn.com",
  ],
  "connect-src": [...CONNECTED.map(https), ...LIVE.flatMap((host) => [https(host), `wss://${host}`])],
  "frame-src": [
    "https://intercom-sheets.com",
    "https://www.intercom-reporting.com",
    "https://www.youtube.com",
    "https://player.vimeo.com",
    "https://fast.wistia.net",
  ],
  "form-action": [
    "https://intercom.help",
    "https://api-iam.intercom.io",
    "https://api-iam.eu.intercom.io",
    "https://api-iam.au.intercom.io",
  ],
};
