import { useProblemText } from '@wattle/sdk';
import { Button, Icon, Notice } from '@wattle/ui';
import { TextField } from '@wattle/ui/forms';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { AddressCheck, LookupAddress } from './address-check';
import { normalizeZipCode } from './zip-code.rules';

/** The parts of useFields that are needed here. */
interface Fields {
  field(name: keyof LookupAddress): {
    name: string;
    value: string;
    error: string | undefined;
    onChange(value: string): void;
    onBlur(): void;
  };
}

/** Postal code, house number and extension on one line, with the result of the lookup below. */
export function AddressFields({
  fields,
  values,
  check,
  unknown,
}: {
  fields: Fields;
  values: LookupAddress;
  check: AddressCheck;
  /** The fields that show the error of an unknown address, even while one of them has focus. */
  unknown: readonly (keyof LookupAddress)[];
}) {
  const text = useProblemText();
  const known = check.of(values);
  const field = (name: keyof LookupAddress) => {
    const own = fields.field(name);
    return { ...own, error: own.error ?? (unknown.includes(name) ? text({ code: 'onboarding.address_unknown' }) : undefined) };
  };
  return (
    <Group>
      <Line>
        <TextField
          {...field('zip_code')}
          required
          width={120}
          maxLength={10}
          autoComplete="postal-code"
          spellCheck={false}
          label={<FormattedMessage id="onboarding.zip_code" defaultMessage="Postal code" />}
        />
        <TextField
          {...field('house_number')}
          required
          width={96}
          maxLength={10}
          inputMode="numeric"
          autoComplete="off"
          label={<FormattedMessage id="onboarding.house_number" defaultMessage="Number" />}
        />
        <TextField
          {...field('house_number_extension')}
          optional
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
          label={<FormattedMessage id="onboarding.extension" defaultMessage="Extension" />}
        />
      </Line>
      <div role="status">
        {known.state === 'found' && unknown.length === 0 && (
          <Found>
            <Icon name="success" size={24} />
            <div>
              <strong>
                {[known.address.street, known.address.houseNumber, known.address.houseNumberAddition].filter(Boolean).join(' ')}
              </strong>
              <div>
                {formatZipCode(known.address.postcode)} {known.address.city}
              </div>
            </div>
          </Found>
        )}
        {unknown.length > 0 && values.zip_code !== '' && (
          <Quiet>
            <FormattedMessage
              id="onboarding.address_help"
              defaultMessage="We do not know this address. Check the postal code and the number. Does your post carry a letter or digits behind the number? Then fill in that extension too."
            />
          </Quiet>
        )}
        {known.state === 'down' && (
          <Notice
            tone="warning"
            title={<FormattedMessage id="onboarding.register_down" defaultMessage="We cannot look up addresses right now" />}
            actions={
              <Button small icon="retry" onClick={check.again}>
                <FormattedMessage id="onboarding.retry" defaultMessage="Try again" />
              </Button>
            }
          >
            <FormattedMessage
              id="onboarding.register_down_text"
              defaultMessage="What you filled in is still here. Fill in your street and town yourself; we check them later."
            />
          </Notice>
        )}
      </div>
    </Group>
  );
}

/** Formats a postal code: `9861 GT`. */
const formatZipCode = (zip: string): string => normalizeZipCode(zip).replace(/^(\d{4})/, '$1 ');

const Group = styled.div`display: flex; flex-direction: column; gap: 12px; [role='status']:empty { display: none; }`;
const Line = styled.div`
  display: grid; grid-template-columns: 120px 96px minmax(0, 1fr); gap: 16px; align-items: start;
  > :last-child > div { max-width: 120px; }
  @media (max-width: 767px) {
    grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr) minmax(0, 1.2fr); gap: 8px;
    > div { max-width: none !important; }
    label { display: flex; flex-wrap: wrap; align-content: flex-end; min-height: 50px; column-gap: .25em; }
  }
`;
const Found = styled.div`
  display: flex; gap: 12px; padding: 16px; border-radius: var(--w-radius-control); background: var(--w-tint);
  > svg { flex: none; color: var(--w-positive); } strong { font-weight: 600; }
`;
const Quiet = styled.p`font-size: 14px; color: var(--w-text-quiet);`;
