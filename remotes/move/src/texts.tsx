import { usePortal } from '@wattle/sdk';
import { Notice, PhoneLink, TextLink } from '@wattle/ui';
import type { ReactNode, Ref } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Commodity } from './agreement.rules';

/** The heading of a wizard page, which gets focus when the page changes. */
export function StepTitle({ children, heading }: { children: ReactNode; heading: Ref<HTMLHeadingElement> }) {
  return (
    <Title ref={heading} tabIndex={-1}>
      {children}
    </Title>
  );
}

/** Names of commodities, as on the invoice. */
export function Energy({ commodities }: { commodities: readonly Commodity[] }) {
  const which = commodities.length > 1 ? 'both' : (commodities[0] ?? 'none');
  return (
    <FormattedMessage
      id="move.energy"
      defaultMessage="{which, select, both {Electricity and gas} ELECTRICITY {Electricity, no gas} GAS {Gas, no electricity} other {No connection}}"
      values={{ which }}
    />
  );
}

/** Explains why something cannot be done online, and how to contact customer service. */
export function OfflineReason({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <Notice tone="warning" live title={title}>
      {children}
      <div>
        <Contact />
      </div>
    </Notice>
  );
}

/** Contact details of the label's customer service. */
export function Contact() {
  const { label } = usePortal();
  return (
    <FormattedMessage
      id="move.contact"
      defaultMessage="Call customer service on {phone} or send an email to {email}. We will arrange it with you."
      values={{
        phone: <PhoneLink number={label.phone} />,
        email: <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>,
      }}
    />
  );
}

/** Returns a function that gives the text for a failed move by status (8-move-4xx, 8-move-5xx); no response counts as 5xx. */
export function useFailure(): (status: number) => string {
  const intl = useIntl();
  return (status) =>
    status >= 400 && status < 500
      ? intl.formatMessage({
          id: 'move.failed_values',
          defaultMessage: 'Something seems wrong in the values, please verify.',
        })
      : intl.formatMessage({ id: 'move.failed', defaultMessage: 'Something went wrong, try later.' });
}

/**
 * The buttons of a page: Next is to the right of Back; on a phone they are stacked with the primary one first
 * (docs/design-of-screens.md). The reasons why a customer cannot continue are above Next. They are shown once something is wrong:
 * after pressing Next, or after leaving an invalid field (9-move-quiet); with `$says` immediately.
 */
export const WizardActions = styled.div<{ $says?: boolean }>`
  display: flex; flex-wrap: wrap; align-items: flex-end; gap: 8px 12px;
  [data-reason] { order: -1; width: max-content; max-width: min(360px, 75vw); margin-right: calc(-1 * min(360px, 75vw)); }
  ${(p) => !p.$says && "form:not(:has([aria-invalid='true'])) & [data-reason] { display: none; }"}
  @media (max-width: 767px) {
    flex-direction: column-reverse; align-items: stretch; > *, button { width: 100%; } [data-reason] { margin: 0; max-width: 100%; }
  }
`;
export const Quiet = styled.p`color: var(--w-text-quiet); font-size: 14px;`;
const Title = styled.h2`font-size: 20px;`;
