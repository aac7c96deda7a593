/** A fictional product that the lab's bidders advertise. */
export interface Subject {
  slug: string;
  name: string;
  line: string;
  action: string;
  /** The advertiser's domain, in the reserved `.example`. */
  domain: string;
  /** IAB Content Category Taxonomy 1.0. */
  category: string;
  /** The start and end of the background gradient, and the button's color. */
  colours: readonly [string, string, string];
  /** SVG shapes in a 48 by 48 box. */
  icon: string;
}

const subject = (
  slug: string,
  name: string,
  line: string,
  action: string,
  category: string,
  colours: Subject["colours"],
  icon: string,
): Subject => ({ slug, name, line, action, domain: `${slug}.example`, category, colours, icon });

export const SUBJECTS: readonly Subject[] = [
  subject(
    "paper-boats",
    "Paper Boats",
    "Fold, float and find the sea",
    "Play",
    "IAB9-30",
    ["#0b7285", "#22b8cf", "#ffe066"],
    '<path d="M6 28h36l-8 10H14z" fill="#fff"/><path d="M24 8l12 18H12z" fill="#e3fafc"/>',
  ),
  subject(
    "night-kite",
    "Night Kite",
    "One thread, a thousand stars",
    "Fly now",
    "IAB9-30",
    ["#1b1f4b", "#4c6ef5", "#ffd43b"],
    '<path d="M24 5l13 15-13 17L11 20z" fill="#ffd43b"/><path d="M24 37c-3 4 4 5 0 9" stroke="#fff" stroke-width="2" fill="none"/>',
  ),
  subject(
    "stone-garden",
    "Stone Garden",
    "Ten quiet minutes a day",
    "Breathe",
    "IAB7-1",
    ["#364f3a", "#8fb996", "#f8f0e3"],
    '<ellipse cx="24" cy="36" rx="16" ry="6" fill="#f8f0e3"/><ellipse cx="24" cy="25" rx="11" ry="5" fill="#dce7d3"/><ellipse cx="24" cy="16" rx="7" ry="4" fill="#fff"/>',
  ),
  subject(
    "cloud-orchard",
    "Cloud Orchard",
    "Grow fruit above the weather",
    "Start growing",
    "IAB9-30",
    ["#845ef7", "#f783ac", "#fff3bf"],
    '<circle cx="17" cy="26" r="9" fill="#fff"/><circle cx="29" cy="24" r="11" fill="#fff"/><circle cx="24" cy="15" r="5" fill="#ff6b6b"/>',
  ),
  subject(
    "harbour-tea",
    "Harbour Tea",
    "Small leaves, long mornings",
    "Taste",
    "IAB8-7",
    ["#5c3d2e", "#c08457", "#fef3c7"],
    '<path d="M9 18h24v10a10 10 0 0 1-10 10h-4A10 10 0 0 1 9 28z" fill="#fef3c7"/><path d="M33 21h4a5 5 0 0 1 0 10h-4" stroke="#fef3c7" stroke-width="3" fill="none"/>',
  ),
  subject(
    "lantern-notes",
    "Lantern Notes",
    "Write it once. Find it for ever.",
    "Try it free",
    "IAB19-18",
    ["#212529", "#495057", "#ffa94d"],
    '<rect x="13" y="7" width="22" height="32" rx="3" fill="#fff"/><path d="M17 16h14M17 23h14M17 30h9" stroke="#ffa94d" stroke-width="3"/>',
  ),
  subject(
    "seven-trails",
    "Seven Trails",
    "Boots that know the way",
    "See the range",
    "IAB17-12",
    ["#2b8a3e", "#94d82d", "#fff9db"],
    '<path d="M4 40L18 14l8 13 5-8 13 21z" fill="#fff9db"/><circle cx="36" cy="11" r="5" fill="#ffd43b"/>',
  ),
  subject(
    "tide-bank",
    "Tide",
    "An account that rounds up for you",
    "Open in 5 minutes",
    "IAB13",
    ["#003049", "#0096c7", "#caf0f8"],
    '<path d="M4 30c7-10 13-10 20 0s13 10 20 0v12H4z" fill="#caf0f8"/><circle cx="24" cy="14" r="7" fill="#fff"/>',
  ),
  subject(
    "quiet-wheels",
    "Quiet Wheels",
    "The city by electric bicycle",
    "Ride today",
    "IAB2",
    ["#087f5b", "#38d9a9", "#ffffff"],
    '<circle cx="13" cy="32" r="8" fill="none" stroke="#fff" stroke-width="3"/><circle cx="36" cy="32" r="8" fill="none" stroke="#fff" stroke-width="3"/><path d="M13 32l8-14h9l6 14M21 18l7 14" stroke="#fff" stroke-width="3" fill="none"/>',
  ),
  subject(
    "amber-line",
    "Amber Line",
    "Trains that leave when you do",
    "Find a seat",
    "IAB20",
    ["#d9480f", "#ffa94d", "#fff4e6"],
    '<rect x="12" y="8" width="24" height="28" rx="6" fill="#fff4e6"/><path d="M16 14h16v9H16z" fill="#d9480f"/><path d="M15 42l5-6M33 42l-5-6" stroke="#fff4e6" stroke-width="3"/>',
  ),
  subject(
    "first-chapter",
    "First Chapter",
    "A book a month, chosen by readers",
    "Pick yours",
    "IAB1-1",
    ["#862e9c", "#da77f2", "#fff0f6"],
    '<path d="M24 12c-5-4-12-4-18-2v28c6-2 13-2 18 2 5-4 12-4 18-2V10c-6-2-13-2-18 2z" fill="#fff0f6"/><path d="M24 12v28" stroke="#862e9c" stroke-width="2"/>',
  ),
  subject(
    "orbit-kitchen",
    "Orbit Kitchen",
    "Dinner in fifteen minutes",
    "Cook tonight",
    "IAB8",
    ["#c2255c", "#ff8787", "#fff5f5"],
    '<circle cx="24" cy="24" r="15" fill="#fff5f5"/><circle cx="24" cy="24" r="9" fill="#ffc9c9"/><path d="M5 10v12M9 10v12M7 22v18M43 10c-4 4-4 12 0 14v16" stroke="#fff5f5" stroke-width="2.5" fill="none"/>',
  ),
];

/** Whether a request blocks the advertiser. `badv` includes subdomains, `bcat` includes subcategories. */
export function blockedSubject(
  { domain, category }: Subject,
  badv: readonly string[] = [],
  bcat: readonly string[] = [],
): boolean {
  return (
    badv.some((blocked) => domain === blocked || domain.endsWith(`.${blocked}`)) ||
    bcat.some((blocked) => category === blocked || category.startsWith(`${blocked}-`))
  );
}
