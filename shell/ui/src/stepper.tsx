import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { Icon } from './icon';
import { VisuallyHidden } from './visually-hidden';

/** A step of a Stepper. */
export interface Step {
  /** Name of the step; unique in the wizard. */
  title: string;
  /** Set when the customer may go to this step; the step is then a button. */
  onSelect?: (() => void) | undefined;
}

export interface StepperProps {
  /** All steps, in order. */
  steps: readonly Step[];
  /** Index of the current step. */
  current: number;
  /** Name for screen readers; by default "Steps" in the language of the page. */
  label?: string | undefined;
}

/** Progress in a wizard: circles with names; on a phone "Step 2 of 4: …" with a bar. */
export function Stepper({ steps, current, label }: StepperProps) {
  const intl = useIntl();
  const name = label ?? intl.formatMessage({ id: 'ui.steps', defaultMessage: 'Steps' });
  return (
    <nav aria-label={name}>
      <Circles>
        {steps.map((step, index) => {
          const state = index < current ? 'done' : index === current ? 'now' : 'next';
          const inside = (
            <>
              <Circle $state={state}>{state === 'done' ? <Icon name="check" size={16} /> : index + 1}</Circle>
              <span>
                {step.title}
                {state === 'done' && (
                  <VisuallyHidden> {intl.formatMessage({ id: 'ui.step_done', defaultMessage: '(done)' })}</VisuallyHidden>
                )}
              </span>
            </>
          );
          return (
            <li key={step.title} aria-current={state === 'now' ? 'step' : undefined} data-state={state}>
              {step.onSelect && state !== 'now' ? (
                <button type="button" onClick={step.onSelect}>
                  {inside}
                </button>
              ) : (
                <span>{inside}</span>
              )}
            </li>
          );
        })}
      </Circles>
      <Bar>
        <span>
          <FormattedMessage
            id="ui.step_of"
            defaultMessage="Step {step} of {steps}: {title}"
            values={{ step: current + 1, steps: steps.length, title: <strong key="t">{steps[current]?.title}</strong> }}
          />
        </span>
        <Track aria-hidden="true">
          <i style={{ width: `${((current + 1) / steps.length) * 100}%` }} />
        </Track>
      </Bar>
    </nav>
  );
}

/** A step of a Timeline. */
export interface TimelineItem {
  /** Name of the step. */
  title: ReactNode;
  /** When it happens, or what happens. */
  text?: ReactNode;
  /** Whether the step is done, current or still to come. */
  state: 'done' | 'now' | 'next';
}

export interface TimelineProps {
  /** The steps, in order. */
  items: readonly TimelineItem[];
}

/** Past and future steps of a process, e.g. ordered, paid, delivered. */
export function Timeline({ items }: TimelineProps) {
  const intl = useIntl();
  return (
    <Line>
      {[...items.entries()].map(([place, item]) => (
        <li key={place} data-state={item.state} aria-current={item.state === 'now' ? 'step' : undefined}>
          <Circle $state={item.state}>{item.state === 'done' ? <Icon name="check" size={16} /> : place + 1}</Circle>
          <div>
            <strong>{item.title}</strong>
            {item.state === 'done' && (
              <VisuallyHidden> {intl.formatMessage({ id: 'ui.step_done', defaultMessage: '(done)' })}</VisuallyHidden>
            )}
            {item.text && <p>{item.text}</p>}
          </div>
        </li>
      ))}
    </Line>
  );
}

export interface ProgressBarProps {
  /** The current amount, from 0 to `max`. */
  value: number;
  /** The total amount. */
  max: number;
  /** Name of the process; read with the bar. */
  label: string;
  /** Shows a line above the bar: this text at the left, the percentage at the right. */
  text?: ReactNode;
}

/** Progress of a process with a known end, such as 40 of 100. */
export function ProgressBar({ value, max, label, text }: ProgressBarProps) {
  const percent = max > 0 ? Math.round(Math.min(1, Math.max(0, value / max)) * 100) : 0;
  return (
    <div>
      {text && (
        <LiveText>
          <span>{text}</span>
          <span>{percent}%</span>
        </LiveText>
      )}
      <Track
        role="progressbar"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuetext={`${percent}%`}
        $thick={Boolean(text)}
      >
        <i style={{ width: `${percent}%` }} />
      </Track>
    </div>
  );
}

type State = 'done' | 'now' | 'next';
const fills: Record<State, string> = {
  done: 'background: var(--w-tint-strong); color: var(--w-text); border-color: transparent;',
  now: 'background: var(--w-primary); color: var(--w-on-primary); border-color: transparent;',
  next: 'background: var(--w-surface); color: var(--w-text-quiet); border-color: var(--w-control-line);',
};
const Circle = styled.span<{ $state: State }>`
  display: grid; place-items: center; width: 32px; height: 32px; flex: none; border-radius: 50%; border: 1px solid; font-weight: 600;
  font-variant-numeric: tabular-nums; ${(p) => fills[p.$state]}
`;
const Circles = styled.ol`
  display: flex; list-style: none;
  li { flex: 1; position: relative; font-size: 14px; color: var(--w-text-quiet); } li:last-child { flex: none; }
  li:not(:last-child)::before { content: ''; position: absolute; top: 15px; height: 2px; left: 40px; right: 8px; background: var(--w-line); }
  li[data-state='done']::before { background: var(--w-primary-ink); }
  li[data-state='now'] { color: var(--w-text); font-weight: 600; }
  li > * { display: inline-flex; flex-direction: column; align-items: flex-start; gap: 8px; min-width: 44px; text-align: start; border-radius: var(--w-radius-control); }
  button:hover span:last-child { text-decoration: underline; }
  @media (max-width: 767px) { display: none; }
`;
const Bar = styled.div`
  display: none; flex-direction: column; gap: 8px; strong { font-weight: 600; }
  @media (max-width: 767px) { display: flex; }
`;
const LiveText = styled.div`display: flex; justify-content: space-between; gap: 16px; margin-bottom: 8px; span:last-child { font-variant-numeric: tabular-nums; color: var(--w-text-quiet); }`;
const Track = styled.div<{ $thick?: boolean }>`
  height: ${(p) => (p.$thick ? 8 : 4)}px; border-radius: 4px; background: var(--w-tint-strong); overflow: hidden;
  i { display: block; height: 100%; background: var(--w-primary-ink); border-radius: 4px; transition: width 160ms; }
`;
const Line = styled.ol`
  list-style: none; display: flex; flex-direction: column;
  li { display: flex; gap: 16px; padding-bottom: 20px; position: relative; min-height: 56px; }
  li > div { padding-top: 4px; }
  li:last-child { padding-bottom: 0; min-height: 0; }
  li:not(:last-child)::after { content: ''; position: absolute; left: 15px; top: 36px; bottom: 4px; width: 2px; background: var(--w-line); }
  li[data-state='done']:not(:last-child)::after { background: var(--w-primary-ink); }
  strong { font-weight: 600; } p { color: var(--w-text-quiet); font-size: 14px; }
  li[data-state='next'] strong { color: var(--w-text-quiet); font-weight: 400; }
`;
