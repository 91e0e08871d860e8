import { useIntl } from 'react-intl';
import styled, { css, keyframes } from 'styled-components';
import { radius } from './tokens';
import { VisuallyHidden } from './visually-hidden';

const shapes = {
  text: { height: 16, gap: 12, radius: '4px', width: '100%' },
  title: { height: 28, gap: 12, radius: radius.control, width: '60%' },
  number: { height: 48, gap: 12, radius: radius.control, width: '180px' },
  field: { height: 48, gap: 24, radius: radius.control, width: '100%' },
  row: { height: 64, gap: 0, radius: 0, width: '100%' },
  card: { height: 160, gap: 16, radius: radius.card, width: '100%' },
  chart: { height: 300, gap: 16, radius: radius.control, width: '100%' },
} as const;

export interface SkeletonProps {
  /** The shape of the expected content. */
  shape?: keyof typeof shapes | undefined;
  /** Number of shapes, below each other. */
  count?: number | undefined;
  /** Name of the loading content, for screen readers. */
  label?: string | undefined;
}

/** Reserves space for loading content. Visible after 150 ms, so that fast responses do not flicker. */
export function Skeleton({ shape = 'text', count = 1, label }: SkeletonProps) {
  const intl = useIntl();
  const bars = Array.from({ length: count }, (_, index) => index);
  return (
    <Frame aria-busy="true" role="status" style={{ gap: shapes[shape].gap }}>
      <VisuallyHidden>{label ?? intl.formatMessage({ id: 'ui.loading', defaultMessage: 'Loading' })}</VisuallyHidden>
      {bars.map((bar) => (
        <Bar key={bar} $shape={shape} $last={bar === count - 1 && count > 1} aria-hidden="true" />
      ))}
    </Frame>
  );
}

const appear = keyframes`from { opacity: 0; } to { opacity: 1; }`;
const breathe = keyframes`50% { opacity: .55; }`;
const Frame = styled.div`position: relative; display: flex; flex-direction: column; width: 100%; animation: ${appear} 1ms 150ms both;`;
/** A row: two bars between lines. */
const rowLook = css`
  background: linear-gradient(var(--bar), var(--bar)) 24px 50% / 30% 16px no-repeat, linear-gradient(var(--bar), var(--bar)) calc(100% - 24px) 50% / 15% 16px no-repeat;
  --bar: color-mix(in oklch, var(--w-text) 8%, transparent);
  & + & { border-top: 1px solid var(--w-line); }
`;
const Bar = styled.span<{ $shape: keyof typeof shapes; $last: boolean }>`
  display: block; height: ${(p) => shapes[p.$shape].height}px; border-radius: ${(p) => shapes[p.$shape].radius};
  width: ${(p) => (p.$shape === 'text' && p.$last ? '70%' : shapes[p.$shape].width)}; max-width: 100%;
  background: color-mix(in oklch, var(--w-text) 8%, transparent); animation: ${breathe} 1.6s ease-in-out infinite;
  ${(p) => (p.$shape === 'row' ? rowLook : '')}
`;
