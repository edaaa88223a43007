/** The mark: brackets around lines, one of them marked. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden className="text-accent">
      <path fill="none" stroke="currentColor" strokeWidth="2" d="M8 4H4v16h4M16 4h4v16h-4" />
      <path fill="currentColor" d="M8.5 7.5h5v2h-5zM8.5 14.5h6v2h-6z" />
      <path className="fill-marker-edge" d="M8.5 11h7v2h-7z" />
    </svg>
  );
}
