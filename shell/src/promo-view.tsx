import { IconButton, mobile, radius, TextLink } from '@wattle/ui';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { useShell } from './context';
import type { Promo } from './portal';
import { PromoFrame } from './promo-frame';

/** The promo of today with its picture, its link and the button that closes it. */
export default function PromoView({ promo, onClose }: { promo: Promo; onClose(): void }): ReactElement {
  const intl = useIntl();
  const { locale } = useShell();
  const close = () => {
    onClose();
    // the button that had focus is gone; the page stays where it is
    document.querySelector<HTMLElement>('h1[data-title]')?.focus({ preventScroll: true });
  };
  return (
    <PromoFrame
      promo={promo}
      link={
        promo.link && (
          <TextLink href={promo.link.to} external={!promo.link.to.startsWith('/')}>
            {promo.link.text[locale]}
          </TextLink>
        )
      }
    >
      {promo.picture && <Picture src={promo.picture} alt="" />}
      <Close $above={Boolean(promo.picture)}>
        <IconButton
          icon="close"
          label={intl.formatMessage({ id: 'shell.promo.close', defaultMessage: 'Do not show this again' })}
          onClick={close}
        />
      </Close>
    </PromoFrame>
  );
}

/** Cropped to the middle. */
const Picture = styled.img`
  position: absolute; inset: 0 0 0 auto; width: 36%; height: 100%; object-fit: cover;
  ${mobile} { width: 100%; height: 144px; }
`;
/** Above a picture it has a background, so that it can be seen on any. */
const Close = styled.div<{ $above: boolean }>`
  position: absolute; top: 8px; right: 8px; display: grid; border-radius: ${radius.control}; background: ${(p) => (p.$above ? 'var(--w-surface)' : 'none')};
`;
