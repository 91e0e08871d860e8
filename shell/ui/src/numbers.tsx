import type { ReactNode } from 'react';
import styled from 'styled-components';
import { type EnergyOf, type EnergyUnit, formatDay, formatEnergy, formatMoney, formatNumber } from './format';

/** An amount in cents: `€ 1.234,50`; `credit` draws negative amounts in green. */
export function Money({ cents, sign, credit = false }: { cents: number; sign?: boolean; credit?: boolean }) {
  return <Figure $positive={credit && cents < 0}>{formatMoney(cents, { sign: sign ?? false })}</Figure>;
}

export function Energy({ value, unit, of }: { value: number; unit: EnergyUnit; of?: EnergyOf }) {
  return <Figure>{formatEnergy(value, unit, of)}</Figure>;
}

export function Num({ value, decimals = 0 }: { value: number; decimals?: number }) {
  return <Figure>{formatNumber(value, decimals)}</Figure>;
}

/** A civil date, `YYYY-MM-DD`, as `20-11-2026` in both languages (1-date-style). */
export function CivilDate({ day }: { day: string }) {
  return <Day dateTime={day.slice(0, 10)}>{formatDay(day)}</Day>;
}

export interface BigProps {
  children: ReactNode;
  unit?: ReactNode;
  /** Text below it: what the number is, and since when. */
  caption?: ReactNode;
}

/** The main number of a page, in the largest font. */
export function Big({ children, unit, caption }: BigProps) {
  return (
    <div>
      <Headline>
        {children}
        {unit && <small> {unit}</small>}
      </Headline>
      {caption && <Caption>{caption}</Caption>}
    </div>
  );
}

const Figure = styled.span<{ $positive?: boolean }>`
  font-variant-numeric: tabular-nums; white-space: nowrap; ${(p) => (p.$positive ? 'color: var(--credit, var(--w-positive));' : '')}
`;
const Day = styled.time`font-variant-numeric: tabular-nums; white-space: nowrap;`;
const Headline = styled.p`
  font-family: var(--w-font-heading); font-size: 40px; line-height: 1.2; font-weight: 600; color: var(--w-primary-ink); font-variant-numeric: tabular-nums; letter-spacing: -.01em;
  small { font-size: 20px; font-weight: 400; color: var(--w-text-quiet); letter-spacing: 0; }
  @media (max-width: 767px) { font-size: 32px; }
`;
const Caption = styled.p`color: var(--w-text-quiet); margin-top: 4px;`;
