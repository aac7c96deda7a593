/** The logo: three waves. */
export function BrandMark({ size = 22 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="var(--accent-line)"
      strokeWidth="2.2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M2 7c4-4 6 4 10 0s6 4 10 0M2 13c4-4 6 4 10 0s6 4 10 0M2 19c4-4 6 4 10 0s6 4 10 0" />
    </svg>
  );
}
