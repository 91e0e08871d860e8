import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type Ref, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Options } from './choice';
import { europe, first } from './countries';
import { Box, FieldFrame, type FieldProps, type TypedProps, useFieldIds } from './field';
import { formatPhone } from './format';
import { Icon } from './icon';
import { frameProps, inputProps } from './text-field';

/** 5.4-phone-max-length */
const maxLength = 20;

export interface PhoneFieldProps extends FieldProps, Omit<TypedProps, 'inputMode' | 'maxLength'> {
  /** The stored form: `0…` for Dutch numbers, `+…` for others. */
  value: string;
  /** Called with the number without spaces: `0…` for a Dutch one, `+…` for others; otherwise with the typed text. */
  onChange(value: string): void;
  /** The `<input>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A phone number with a country picker: the Netherlands by default, neighboring countries first (5.4-phone-country-picker). */
export function PhoneField({ value, onChange, ref, autoComplete = 'tel', onBlur, width = 360, ...props }: PhoneFieldProps) {
  const intl = useIntl();
  const { id, control } = useFieldIds(props);
  const [text, setText] = useState(formatPhone(value));
  const [country, setCountry] = useState<CountryCode>(countryOf(value) ?? 'NL');
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setText(formatPhone(value));
    setCountry(countryOf(value) ?? country);
  }
  const say = (next: string, from: CountryCode) => {
    const number = phoneOf(next, from);
    setKnown(number);
    onChange(number);
  };
  const names = new Intl.DisplayNames([intl.locale], { type: 'region' });
  const option = (code: CountryCode, group: string) => ({
    value: code,
    text: `${names.of(code) ?? code} (+${getCountryCallingCode(code)})`,
    group,
  });
  const near = intl.formatMessage({ id: 'ui.phone_near', defaultMessage: 'Nearby' });
  const others = intl.formatMessage({ id: 'ui.phone_europe', defaultMessage: 'Europe' });
  const options = [
    ...first.map((code) => option(code, near)),
    ...europe.map((code) => option(code, others)).sort((a, b) => a.text.localeCompare(b.text, intl.locale)),
  ];
  return (
    <FieldFrame id={id} {...frameProps({ ...props, width })}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        <Country>
          <span aria-hidden="true">
            {country} +{getCountryCallingCode(country)} <Icon name="down" size={16} />
          </span>
          <select
            aria-label={intl.formatMessage({ id: 'ui.phone_country', defaultMessage: 'Country of the phone number' })}
            value={country}
            disabled={Boolean(props.disabledReason)}
            onChange={(event) => {
              const next = event.target.value as CountryCode;
              const bare = text.trim().startsWith('+') ? text.trim().replace(`+${getCountryCallingCode(country)}`, '') : text;
              setCountry(next);
              setText(bare);
              say(bare, next);
            }}
          >
            <Options options={options} />
          </select>
        </Country>
        <input
          {...control}
          {...inputProps({ ...props, autoComplete, inputMode: 'tel', maxLength })}
          ref={ref}
          type="tel"
          readOnly={Boolean(props.disabledReason)}
          value={text}
          onChange={(event) => {
            const next = event.target.value;
            const from = countryOf(next) ?? country;
            setText(next);
            setCountry(from);
            say(next, from);
          }}
          onBlur={() => {
            setText(formatPhone(text.trim()));
            onBlur?.();
          }}
        />
      </Box>
    </FieldFrame>
  );
}

/** Returns the country of a number that starts with + or 00. */
function countryOf(text: string): CountryCode | undefined {
  const plain = text.replace(/[\s-]/g, '').replace(/^00/, '+');
  if (!plain.startsWith('+')) return undefined;
  const known = parsePhoneNumberFromString(plain)?.country;
  if (known) return known;
  return [...first, ...europe].find((code) => plain.startsWith(`+${getCountryCallingCode(code)}`));
}

/**
 * Returns the number in the form that is sent: Dutch numbers with 0 (5.4-phone-normalise), others with + and their country code.
 */
export function phoneOf(text: string, country: CountryCode): string {
  // Dutch business cards put the trunk prefix in parentheses: (0). It is dropped in calls from abroad.
  const plain = text
    .replace(/[\s-]/g, '')
    .replace(/^00/, '+')
    .replace(/^(\+\d+)\(0\)/, '$1');
  if (plain.startsWith('+31')) return `0${plain.slice(3).replace(/^0/, '')}`;
  if (plain === '' || plain.startsWith('+') || country === 'NL') return plain;
  return (
    parsePhoneNumberFromString(plain, country)?.number ??
    `+${getCountryCallingCode(country)}${plain.replace(/\D/g, '').replace(/^0/, '')}`
  );
}

const Country = styled.div`
  position: relative; flex: none; align-self: stretch; display: grid; border-right: 1px solid var(--w-line); border-radius: calc(var(--w-radius-control) - 1px) 0 0 calc(var(--w-radius-control) - 1px);
  > span { display: inline-flex; align-items: center; gap: 4px; padding: 0 10px 0 12px; font-variant-numeric: tabular-nums; color: var(--w-text-quiet); }
  select { position: absolute; inset: 0; opacity: 0; cursor: pointer; option, optgroup { color: #17211b; background: #fff; } }
  &:hover { background: var(--w-tint); }
  &:has(select:focus-visible) { background: var(--w-tint-strong); }
`;
