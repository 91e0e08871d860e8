import { type ReactNode, useContext, useState } from 'react';
import { type IllustrationName, PicturesContext } from './pictures';

const accent = 'var(--w-accent)';
const soft = 'var(--w-tint-strong)';

/** The kit's six illustrations, 160 × 120: lines in the text color, one object in the accent color, the background in the tint. */
const drawings: Record<IllustrationName, ReactNode> = {
  empty: (
    <>
      <path d="M38 58h84l10 14v28a4 4 0 0 1-4 4H32a4 4 0 0 1-4-4V72z" fill={soft} stroke="none" />
      <path d="M38 58h84l10 14v28a4 4 0 0 1-4 4H32a4 4 0 0 1-4-4V72z" />
      <path d="M28 72h32c3 0 4 3 5 6s4 6 15 6 14-3 15-6 2-6 5-6h32" />
      <path d="M80 18v26m-11-10 11 11 11-11" stroke={accent} />
      <path d="M46 34l5 5M114 34l-5 5" opacity=".5" />
    </>
  ),
  error: (
    <>
      <ellipse cx="80" cy="102" rx="62" ry="6" fill={soft} stroke="none" />
      <path d="M6 88c22 0 18-30 34-30" />
      <path d="M40 44h16a6 6 0 0 1 6 6v16a6 6 0 0 1-6 6H40z" fill={soft} />
      <path d="M40 44v28M62 52h9M62 64h9" />
      <path d="M154 88c-22 0-18-30-34-30" />
      <path d="M120 44h-16a14 14 0 0 0 0 28h16z" fill={soft} />
      <path d="M96 52h8M96 64h8" />
      <path d="M82 24v12M68 30l6 8M96 30l-6 8" stroke={accent} />
      <path d="M82 92V80M70 88l5-7M94 88l-5-7" stroke={accent} />
    </>
  ),
  sent: (
    <>
      <path d="M24 42h84a4 4 0 0 1 4 4v52a4 4 0 0 1-4 4H24a4 4 0 0 1-4-4V46a4 4 0 0 1 4-4z" fill={soft} />
      <path d="M21 45l45 34 45-34" />
      <circle cx="118" cy="42" r="22" fill="var(--w-surface)" stroke={accent} />
      <path d="M108 42l7 7 13-14" stroke={accent} />
      <path d="M4 60h10M0 74h14M6 88h8" opacity=".5" />
    </>
  ),
  mill: (
    <>
      <path d="M14 104c18-12 40-12 58-4 20 8 48 6 74-2v8H14z" fill={soft} stroke="none" />
      <path d="M14 104c18-12 40-12 58-4 20 8 48 6 74-2" />
      <path d="M77 50l-4 50h14l-4-50" fill="var(--w-surface)" />
      <path d="M80 42c-2-12-1-24 5-34 3 12 1 24-5 34z" stroke={accent} />
      <path d="M80 42c11 4 21 12 26 22-12-2-22-11-26-22z" stroke={accent} />
      <path d="M80 42c-9 8-20 12-32 12 7-10 19-14 32-12z" stroke={accent} />
      <circle cx="80" cy="43" r="4" fill="var(--w-surface)" />
      <path
        d="M120 78l-2 20h6l-2-20m-1-3c-1-6 0-12 3-17 1 6 0 12-3 17zm0 0c6 2 10 6 13 11-6-1-11-5-13-11zm0 0c-5 4-10 6-16 6 4-5 10-7 16-6z"
        opacity=".55"
      />
      <path d="M22 30h22M14 40h16" opacity=".5" />
    </>
  ),
  sun: (
    <>
      <circle cx="112" cy="36" r="16" fill={soft} stroke={accent} />
      <path d="M112 8v6M112 58v6M84 36h6M134 36h6M92 16l4 4M128 52l4 4M132 16l-4 4M92 56l4-4" stroke={accent} />
      <path d="M34 58h72l16 36H18z" fill={soft} />
      <path d="M28 70h83M23 82h93M58 58l-8 36M82 58l8 36" />
      <path d="M70 94v10M52 104h36" />
    </>
  ),
  house: (
    <>
      <path d="M10 104h140" />
      <path d="M36 56l38-32 38 32v48H36z" fill={soft} stroke="none" />
      <path d="M26 62l48-38 48 38M36 56v48M112 56v48" />
      <path d="M96 41V26h10v24" />
      <path d="M64 104V80h20v24" fill="var(--w-surface)" />
      <path d="M46 66h10v12H46zM92 66h10v12H92z" fill="var(--w-surface)" />
      <path d="M134 104V84m0 0c-8 0-12-6-12-12 8 0 12 5 12 12zm0-4c0-8 5-12 12-12 0 7-4 12-12 12z" stroke={accent} />
    </>
  ),
};

export interface IllustrationProps {
  /** Which illustration; a label may replace each with its own. */
  name: IllustrationName;
  /** Width in pixels; the height is three quarters of it. */
  size?: number | undefined;
}

/**
 * A decorative illustration next to text with the same meaning. It is the label's own, or the kit's if the label has none or it
 * fails to load, at the same size.
 */
export function Illustration({ name, size = 160 }: IllustrationProps) {
  const own = useContext(PicturesContext).illustrations?.[name];
  const [failed, setFailed] = useState<string>();
  const box = { width: size, height: (size * 3) / 4 };
  if (own && own !== failed)
    return <img {...box} src={own} alt="" style={{ flex: 'none', objectFit: 'contain' }} onError={() => setFailed(own)} />;
  return (
    <svg
      {...box}
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none', color: 'var(--w-text)' }}
    >
      {drawings[name]}
    </svg>
  );
}
