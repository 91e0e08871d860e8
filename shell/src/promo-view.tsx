import { IconButton, mobile, radius, TextLink } from '@wattle/ui';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { useShell } from './context';
import type { Promo } from './portal';
import { PromoFrame } from './promo-frame';

/** Today's promo with its picture, its link and the close button. */
export default function PromoView({ promo, onClose }: { promo: Promo; onClose(): void }): ReactElement {
  const intl = useIntl();
  const { locale } = useShell();
  const close = () => {
    onClose();
    // the focused button has disappeared; the page must not scroll
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

/** Cropped to the center. */
const Picture = styled.img`
  position: absolute; inset: 0 0 0 auto; width: 36%; height: 100%; object-fit: cover;
  ${mobile} { width: 100%; height: 144px; }
`;
/** Over a picture it has a background, so that it is visible on any picture. */
const Close = styled.div<{ $above: boolean }>`
  position: absolute; top: 8px; right: 8px; display: grid; border-radius: ${radius.control}; background: ${(p) => (p.$above ? 'var(--w-surface)' : 'none')};
`;
