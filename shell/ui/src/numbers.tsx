import type { ReactNode } from 'react';
import styled from 'styled-components';
import { type EnergyOf, type EnergyUnit, formatDay, formatEnergy, formatMoney, formatNumber } from './format';

export interface MoneyProps {
  /** The amount in cents. */
  cents: number;
  /** Adds a plus sign to a positive amount; by default false. */
  sign?: boolean;
  /** Makes a negative amount green, because the customer receives it. */
  credit?: boolean;
}

/** An amount in cents: `€ 1.234,50`; `credit` makes negative amounts green. */
export function Money({ cents, sign, credit = false }: MoneyProps) {
  return <Figure $positive={credit && cents < 0}>{formatMoney(cents, { sign: sign ?? false })}</Figure>;
}

export interface EnergyProps {
  /** The amount or power, in `unit`. */
  value: number;
  /** Its unit, shown after it. */
  unit: EnergyUnit;
  /** What the amount belongs to, which determines the decimals: `connection` by default. */
  of?: EnergyOf;
}

/** An amount of energy or gas, or a power, with its unit. */
export function Energy({ value, unit, of }: EnergyProps) {
  return <Figure>{formatEnergy(value, unit, of)}</Figure>;
}

export interface NumProps {
  /** The number. */
  value: number;
  /** Fixed number of decimals. */
  decimals?: number;
}

/** A number with the portal's separators. */
export function Num({ value, decimals = 0 }: NumProps) {
  return <Figure>{formatNumber(value, decimals)}</Figure>;
}

export interface CivilDateProps {
  /** The day, `YYYY-MM-DD`. */
  day: string;
}

/** A civil date, `YYYY-MM-DD`, as `20-11-2026` in both languages (1-date-style). */
export function CivilDate({ day }: CivilDateProps) {
  return <Day dateTime={day.slice(0, 10)}>{formatDay(day)}</Day>;
}

export interface BigProps {
  /** The formatted number: a Money, Energy or Num. */
  children: ReactNode;
  /** Its unit, in smaller text after it. */
  unit?: ReactNode;
  /** Text below it: what the number is, and from which date. */
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
