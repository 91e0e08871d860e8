import { formatMoney, formatNumber, IconButton } from '@wattle/ui';
import { TextField } from '@wattle/ui/forms';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { centsOf, clamp, plainAmount, typeable } from './term-amount.rules';

interface AmountFieldProps {
  label: string;
  name: string;
  /** As it is typed. */
  value: string;
  onChange(typed: string): void;
  onBlur(): void;
  error?: ReactNode;
  why?: string | undefined;
  min: number;
  max: number;
  /** Where stepping begins when nothing stands there. */
  start: number;
  /** Our advice: the marker on the line (5.6-slider-marker). */
  proposed: number;
}

/** Cents as they would be typed: `125` or `125,50`. */
export const written = (cents: number): string => formatNumber(cents / 100, cents % 100 === 0 ? 0 : 2).replaceAll('.', '');

/** An amount that is typed, stepped by whole euros, or slid between its ends (5.6-stepper-slider, 5.6-amount-decimals). */
export function AmountField(p: AmountFieldProps) {
  const intl = useIntl();
  const advice = useId();
  const amount = centsOf(plainAmount(p.value));
  const at = amount ?? p.start;
  const go = (to: number) => {
    if (!p.why) p.onChange(written(clamp(to, p)));
  };
  /** To the next whole euro, or several on. */
  const by = (euros: number) => go((euros > 0 ? Math.floor(at / 100) : Math.ceil(at / 100)) * 100 + euros * 100);
  const keys = (event: KeyboardEvent, slides: boolean) => {
    const to: Record<string, () => void> = {
      ArrowUp: () => by(1),
      ArrowDown: () => by(-1),
      PageUp: () => by(10),
      PageDown: () => by(-10),
      ...(slides ? { ArrowRight: () => by(1), ArrowLeft: () => by(-1), Home: () => go(p.min), End: () => go(p.max) } : {}),
    };
    const move = to[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  const part = (cents: number) => ((clamp(cents, p) - p.min) / Math.max(1, p.max - p.min)) * 100;
  const lowest = intl.formatMessage({
    id: 'billing.amount_lowest',
    defaultMessage: 'This is the lowest amount that you can choose.',
  });
  const highest = intl.formatMessage({
    id: 'billing.amount_highest',
    defaultMessage: 'This is the highest amount that you can choose.',
  });
  const blocked = p.why ? { why: p.why } : {};
  return (
    <Frame>
      <Steps onKeyDown={(event) => event.target instanceof HTMLInputElement && keys(event, false)}>
        <TextField
          label={p.label}
          name={p.name}
          required
          before="€"
          inputMode="decimal"
          autoComplete="off"
          width={200}
          error={p.error}
          why={p.why}
          value={p.value}
          onChange={(typed) => {
            if (typeable(typed)) p.onChange(typed);
          }}
          onBlur={() => {
            if (amount !== null && written(amount) !== p.value) p.onChange(written(amount));
            p.onBlur();
          }}
        />
        <Buttons>
          <IconButton
            icon="minus"
            label={intl.formatMessage({ id: 'billing.amount_less', defaultMessage: 'One euro less' })}
            {...(at <= p.min ? { why: lowest } : blocked)}
            onClick={() => by(-1)}
          />
          <IconButton
            icon="plus"
            label={intl.formatMessage({ id: 'billing.amount_more', defaultMessage: 'One euro more' })}
            {...(at >= p.max ? { why: highest } : blocked)}
            onClick={() => by(1)}
          />
        </Buttons>
      </Steps>
      <Line style={{ ['--at' as string]: `${part(at)}%` }}>
        <input
          type="range"
          aria-label={p.label}
          aria-valuetext={formatMoney(clamp(at, p))}
          aria-describedby={advice}
          aria-disabled={p.why ? true : undefined}
          min={p.min}
          max={p.max}
          step={1}
          value={clamp(at, p)}
          onKeyDown={(event) => keys(event, true)}
          onChange={(event) => go(Math.round(Number(event.target.value) / 100) * 100)}
        />
        <Marker style={{ left: `calc(12px + (100% - 24px) * ${part(p.proposed) / 100})` }} aria-hidden="true" data-marker />
        <Ends aria-hidden="true">
          <span>{formatMoney(p.min)}</span>
          <span>{formatMoney(p.max)}</span>
        </Ends>
      </Line>
      <Advice id={advice}>
        <Dash aria-hidden="true" />
        <FormattedMessage id="billing.advice" defaultMessage="We advise {amount}" values={{ amount: formatMoney(p.proposed) }} />
        {!p.why && at !== clamp(p.proposed, p) && (
          <Take type="button" onClick={() => go(p.proposed)}>
            <FormattedMessage id="billing.advice_take" defaultMessage="Use this amount" />
          </Take>
        )}
      </Advice>
    </Frame>
  );
}

const Frame = styled.div`display: flex; flex-direction: column; gap: 12px;`;
const Steps = styled.div`display: flex; gap: 8px; align-items: flex-start; > :first-child { width: 200px; }`;
const Buttons = styled.div`
  display: flex; gap: 8px; margin-top: 32px;
  button { width: 48px; height: 48px; border: 1px solid var(--w-control-line); background: var(--w-surface); color: var(--w-primary-ink); }
`;
const Line = styled.div`
  position: relative;
  input {
    appearance: none; display: block; width: 100%; height: 48px; background: none; cursor: pointer; border-radius: 8px;
    --track: linear-gradient(to right, var(--w-primary-ink) var(--at), color-mix(in oklch, var(--w-text) 20%, transparent) var(--at));
  }
  input[aria-disabled] { cursor: not-allowed; opacity: .6; }
  input::-webkit-slider-runnable-track { height: 6px; border-radius: 3px; background: var(--track); }
  input::-moz-range-track { height: 6px; border-radius: 3px; background: var(--track); }
  input::-webkit-slider-thumb {
    appearance: none; width: 24px; height: 24px; margin-top: -9px; border-radius: 50%; background: var(--w-surface); border: 3px solid var(--w-primary-ink);
  }
  input::-moz-range-thumb { width: 18px; height: 18px; border-radius: 50%; background: var(--w-surface); border: 3px solid var(--w-primary-ink); }
`;
const Marker = styled.i`position: absolute; top: 10px; width: 3px; height: 28px; margin-left: -1.5px; background: var(--w-text); border-radius: 2px; pointer-events: none;`;
const Ends = styled.div`display: flex; justify-content: space-between; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; margin-top: -4px;`;
const Advice = styled.div`display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; font-size: 14px; min-height: 32px;`;
const Dash = styled.i`width: 3px; height: 20px; border-radius: 2px; background: var(--w-text);`;
const Take = styled.button`min-height: 32px; padding: 0 4px; border-radius: 4px; color: var(--w-primary-ink); text-decoration: underline; text-underline-offset: .2em; font-weight: 600;`;
