import { useRef } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useIntl } from 'react-intl';
import styled, { css, keyframes } from 'styled-components';
import { IconButton } from './button';
import { useConfirmLeave } from './confirm-leave';
import { useScrollStop } from './scroll-stop';
import { SheetCloseProvider, SheetFooter } from './sheet-footer';
import type { SheetProps } from './sheet-props';

/** The open sheet; its code is fetched with that of the first overlay. */
export default function SheetPanel({
  title,
  isOpen,
  onClose,
  children,
  footer,
  dirty = false,
  busy,
  from = 'right',
}: SheetProps) {
  const intl = useIntl();
  const leave = useConfirmLeave(dirty);
  const heading = useRef<HTMLHeadingElement>(null);
  const [body, stop] = useScrollStop();
  const close = () => {
    if (!busy) leave.ask(onClose);
  };
  return (
    <Backdrop
      isOpen={isOpen ?? true}
      onOpenChange={(open) => !open && close()}
      isDismissable={from === 'bottom'}
      data-overlay
      data-from={from}
    >
      <Panel $from={from}>
        <Inside>
          <Head>
            <Heading slot="title" level={2} ref={heading}>
              {title}
            </Heading>
            <IconButton
              icon="close"
              label={intl.formatMessage({ id: 'ui.close', defaultMessage: 'Close' })}
              onClick={close}
              disabled={busy}
            />
          </Head>
          <SheetCloseProvider value={close}>
            <Body ref={body} {...(stop && { tabIndex: 0, role: 'group', 'aria-labelledby': heading.current?.id })}>
              {children}
              {footer && <SheetFooter>{footer}</SheetFooter>}
            </Body>
          </SheetCloseProvider>
        </Inside>
        {leave.dialog}
      </Panel>
    </Backdrop>
  );
}

const fade = keyframes`from { opacity: 0; }`;
const fromRight = keyframes`from { transform: translateX(48px); opacity: 0; }`;
const fromBelow = keyframes`from { transform: translateY(64px); opacity: 0; }`;

const Backdrop = styled(ModalOverlay)`
  position: fixed; inset: 0; z-index: 100; background: color-mix(in srgb, var(--w-text) 45%, transparent);
  &[data-entering] { animation: ${fade} 160ms; } &[data-exiting] { animation: ${fade} 120ms reverse both; }
  @media print { position: static; background: none; }
`;
const sides = {
  right: css`
    inset: 0 0 0 auto; width: 520px; border-radius: var(--w-radius) 0 0 var(--w-radius);
    @media (max-width: 767px) { width: 100%; border-radius: 0; }
    &[data-entering] { animation: ${fromRight} 180ms cubic-bezier(.2,.7,.3,1); } &[data-exiting] { animation: ${fromRight} 140ms reverse both; }
  `,
  bottom: css`
    inset: auto 0 0 0; max-height: 88dvh; border-radius: var(--w-radius) var(--w-radius) 0 0;
    &[data-entering] { animation: ${fromBelow} 180ms cubic-bezier(.2,.7,.3,1); } &[data-exiting] { animation: ${fromBelow} 140ms reverse both; }
  `,
};
const Panel = styled(Modal)<{ $from: 'right' | 'bottom' }>`
  position: absolute; display: flex; max-width: 100%; background: var(--w-surface); overflow: hidden;
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent);
  ${(p) => sides[p.$from]}
  @media print { && { position: static; width: auto; box-shadow: none; border-radius: 0; overflow: visible; } }
`;
const Inside = styled(AriaDialog)`
  flex: 1; min-width: 0; max-height: 100%; display: flex; flex-direction: column; outline: none;
  &:focus-visible:focus-visible { outline: none; box-shadow: none; }
`;
const Head = styled.div`
  display: flex; align-items: center; gap: 16px; min-height: 64px; flex: none; padding: 8px 12px 8px 24px; border-bottom: 1px solid var(--w-line);
  h2 { flex: 1; font-size: 20px; min-width: 0; }
  @media (max-width: 767px) { padding: 8px 4px 8px 16px; }
  @media print { padding: 0; border: 0; }
`;
const Body = styled.div`
  flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; display: flex; flex-direction: column; gap: 24px; padding: 24px 24px 0;
  &:not(:has([data-sheet-footer]))::after { content: ''; }
  &:focus-visible:focus-visible { outline-offset: -3px; box-shadow: none; }
  > form { flex: 1; display: flex; flex-direction: column; }
  @media (max-width: 767px) { padding: 16px 16px 0; }
  @media print { overflow: visible; padding: 16px 0; }
`;
