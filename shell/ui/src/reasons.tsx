import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';

/** Why a form cannot be sent, and the fields that cause this. */
export interface Refusal {
  /** The reason: the same string as the save button's `disabledReason`. */
  reason: string;
  /** The `name` of each field. */
  fields: readonly string[];
}

/** A field that prevents a form from being sent: its `name`, optionally with a text for when its label is not clear enough. */
export type Reason = string | { field: string; text: string };

export interface ReasonsProps {
  /** The fields, each by name or with a text of its own. */
  fields: readonly Reason[];
  /**
   * Maximum number of fields that are listed. If there are more, a single link shows how many and leads to the first. Unlimited by
   * default.
   */
  max?: number | undefined;
}

/**
 * Lists the fields that prevent a form from being sent, as links that say what to do and move focus to them (9-submit-reasons). A
 * field is called what it is called on the page: by its label, or by the legend of its group. A field that is not on the page is
 * left out.
 */
export function Reasons({ fields, max = Number.POSITIVE_INFINITY }: ReasonsProps) {
  const intl = useIntl();
  const list = useRef<HTMLSpanElement>(null);
  const labels = useLabels(
    list,
    fields.flatMap((one) => (typeof one === 'string' ? [one] : [])),
    (label, field) =>
      intl.formatMessage(
        {
          id: 'ui.reason',
          defaultMessage:
            '{how, select, tick {Tick “{label}”} choose {Choose “{label}”} check {Check “{label}”} other {Fill in “{label}”}}',
        },
        { how: requiredActionOf(field as HTMLInputElement), label },
      ),
  );
  const all = [
    ...fields.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    ...Object.entries(labels).map(([field, text]) => ({ field, text })),
  ];
  const items =
    all.length > max
      ? all.slice(0, 1).map(({ field }) => ({
          field,
          text: intl.formatMessage(
            { id: 'ui.reasons_many', defaultMessage: 'Go to the first of {count} fields' },
            { count: all.length },
          ),
        }))
      : all;
  return (
    <List
      ref={list}
      data-reason
      aria-label={intl.formatMessage({ id: 'ui.reasons', defaultMessage: 'Still to be filled in or corrected' })}
    >
      {items.map(({ field, text }) => (
        <Item key={field}>
          <a
            href={`#${field}`}
            onClick={(event) => {
              event.preventDefault();
              fieldNamed(event.currentTarget, field)?.focus();
            }}
          >
            {text}
          </a>
        </Item>
      ))}
    </List>
  );
}

/** Returns what the customer must do with a field that is not right yet. */
const requiredActionOf = ({ type, tagName, value }: HTMLInputElement): 'tick' | 'choose' | 'check' | 'fill' =>
  type === 'checkbox' ? 'tick' : type === 'radio' || tagName === 'SELECT' ? 'choose' : value ? 'check' : 'fill';

/**
 * Returns the visible names of fields, or the result of `say` for each, by field name and in page order. Fields that are not on the
 * page are left out.
 */
export function useLabels(
  from: RefObject<HTMLElement | null>,
  fields: readonly string[],
  say = (label: string, _field: HTMLElement): string => label,
): Readonly<Record<string, string>> {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  // After each render, because labels can change with other choices; the state changes only if a label did.
  useLayoutEffect(() => {
    const found = fields.flatMap((name) => {
      const field = fieldNamed(from.current, name);
      const label = labelOf(field);
      return field && label ? [{ name, field, label: say(label, field) }] : [];
    });
    found.sort((a, b) => (a.field.compareDocumentPosition(b.field) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    const now = Object.fromEntries(found.map(({ name, label }) => [name, label]));
    setLabels((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
  });
  return labels;
}

/** Returns the field with a name, in the form that contains the given element. */
export function fieldNamed(from: HTMLElement | null, name: string): HTMLElement | undefined {
  const root: ParentNode = from?.closest('form') ?? document;
  const named = [...root.querySelectorAll<HTMLElement>('[name]')].find((one) => one.getAttribute('name') === name);
  return named ?? document.getElementById(name) ?? undefined;
}

/** Returns the visible name of a field: the legend of its group, or its label. */
function labelOf(field: HTMLElement | undefined): string | undefined {
  const own = (field as HTMLInputElement | undefined)?.labels?.[0];
  const group =
    (field as HTMLInputElement | undefined)?.type === 'radio' ? field?.closest('fieldset, [role="radiogroup"]') : null;
  const legend = group?.querySelector('legend') ?? document.getElementById(group?.getAttribute('aria-labelledby') ?? '');
  return ((legend ?? own)?.textContent ?? field?.getAttribute('aria-label'))?.trim() || undefined;
}

/** Spans, because a button may be part of a sentence. */
const List = styled.span.attrs({ role: 'list' })`
  display: flex; flex-wrap: wrap; gap: 0 16px; font-size: 14px; font-weight: 400; text-align: left;
  a { display: inline-block; padding: 2px 0; color: var(--w-primary-ink); text-decoration: underline; text-underline-offset: 3px; }
`;
const Item = styled.span.attrs({ role: 'listitem' })``;
