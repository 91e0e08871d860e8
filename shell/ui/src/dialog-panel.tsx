import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useIntl } from 'react-intl';
import styled, { keyframes } from 'styled-components';
import { IconButton } from './button';
import type { DialogProps } from './dialog-props';

/** The open dialog; its code is fetched with that of the first overlay. */
export default function DialogPanel({ title, isOpen, onClose, children, actions, role = 'dialog' }: DialogProps) {
  const intl = useIntl();
  return (
    <Backdrop isOpen={isOpen ?? true} onOpenChange={(open) => !open && onClose()} data-overlay>
      <Panel>
        <Inside role={role}>
          <Head>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {role === 'dialog' && (
              <IconButton
                icon="close"
                label={intl.formatMessage({ id: 'ui.close', defaultMessage: 'Close' })}
                onClick={onClose}
              />
            )}
          </Head>
          <Words>{children}</Words>
          <Actions>{actions}</Actions>
        </Inside>
      </Panel>
    </Backdrop>
  );
}

const fade = keyframes`from { opacity: 0; }`;
const rise = keyframes`from { opacity: 0; transform: translateY(12px); }`;
const Backdrop = styled(ModalOverlay)`
  position: fixed; inset: 0; z-index: 110; display: grid; place-items: center; padding: 16px;
  background: color-mix(in srgb, var(--w-text) 45%, transparent);
  &[data-entering] { animation: ${fade} 160ms; } &[data-exiting] { animation: ${fade} 120ms reverse both; }
  @media (max-width: 767px) { place-items: end stretch; }
  @media print { position: static; display: block; padding: 0; background: none; }
`;
const Panel = styled(Modal)`
  width: 480px; max-width: 100%; max-height: 100%; overflow: auto; background: var(--w-surface); border-radius: var(--w-radius);
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent);
  &[data-entering] { animation: ${rise} 160ms; }
  @media (max-width: 767px) { width: 100%; }
  @media print { width: auto; box-shadow: none; overflow: visible; }
`;
const Inside = styled(AriaDialog)`
  display: flex; flex-direction: column; gap: 12px; padding: 24px; outline: none;
  &:focus-visible:focus-visible { outline: none; box-shadow: none; }
`;
const Head = styled.div`
  display: flex; align-items: flex-start; gap: 16px; h2 { flex: 1; font-size: 20px; } button { margin: -10px -12px -10px 0; }
`;
const Words = styled.div`color: var(--w-text-quiet);`;
const Actions = styled.div`
  display: flex; flex-wrap: wrap; gap: 8px 12px; margin-top: 12px;
  @media (max-width: 767px) { > * { width: 100%; } button { width: 100%; } }
`;
