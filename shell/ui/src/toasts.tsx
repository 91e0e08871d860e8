import { useEffect, useSyncExternalStore } from 'react';
import { useIntl } from 'react-intl';
import styled, { keyframes } from 'styled-components';
import { IconButton } from './button';
import { Icon } from './icon';
import { ToastQueue, type ToastShown } from './toast-queue';

const queue = new ToastQueue();
/** Shows a toast, also from outside a component. Show an error next to the control that failed as well. */
export const showToast = queue.show;
export const closeToast = queue.close;
export const clearToasts = queue.clear;

const both = { show: queue.show, close: queue.close };
export const useToasts = () => both;

/** The region that shows toasts. Render it once, after the page. It stays reachable while an overlay is open. */
export function Toasts() {
  const intl = useIntl();
  const shown = useSyncExternalStore(queue.subscribe, queue.visible, queue.visible);
  useEffect(() => {
    const update = () => (document.hidden ? queue.hold('hidden') : queue.release('hidden'));
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      for (const why of ['hidden', 'pointer', 'focus']) queue.release(why);
    };
  }, []);
  useEffect(() => {
    // Browsers do not send leave or blur events for removed elements, so resume the time when the last toast is gone.
    if (shown.length === 0) for (const why of ['pointer', 'focus']) queue.release(why);
  }, [shown.length]);
  const draw = (toast: ToastShown) => (
    <Box key={toast.id} $tone={toast.tone} role={toast.tone === 'bad' ? 'alert' : 'status'} data-kind={toast.kind}>
      <span>
        <Icon name={toast.tone === 'good' ? 'success' : toast.tone === 'bad' ? 'alert' : 'info'} size={24} />
      </span>
      <p>{toast.text}</p>
      <IconButton
        icon="close"
        label={intl.formatMessage({ id: 'ui.close', defaultMessage: 'Close' })}
        onClick={() => {
          queue.release('focus');
          queue.close(toast.id);
        }}
      />
    </Box>
  );
  return (
    <section
      aria-label={intl.formatMessage({ id: 'ui.toasts', defaultMessage: 'Messages' })}
      aria-live="polite"
      data-react-aria-top-layer="true"
      onPointerOver={() => queue.hold('pointer')}
      onPointerLeave={() => queue.release('pointer')}
      onFocus={() => queue.hold('focus')}
      onBlur={() => queue.release('focus')}
    >
      <ToastStack $at="top">{shown.filter((toast) => toast.at === 'top').map(draw)}</ToastStack>
      <ToastStack $at="bottom">{shown.filter((toast) => toast.at !== 'top').map(draw)}</ToastStack>
    </section>
  );
}

const rise = keyframes`from { opacity: 0; transform: translateY(8px); }`;
const ToastStack = styled.div<{ $at: 'top' | 'bottom' }>`
  position: fixed; z-index: 300; display: flex; flex-direction: column; gap: 8px; width: min(440px, calc(100vw - 32px)); pointer-events: none;
  ${(p) => (p.$at === 'top' ? 'top: 16px; left: 50%; translate: -50% 0;' : 'bottom: max(24px, env(safe-area-inset-bottom)); right: 24px;')}
  @media (max-width: 767px) { right: 16px; bottom: max(16px, var(--w-bottom, env(safe-area-inset-bottom)) + 16px); }
`;
const toneColors = { good: 'var(--w-positive)', bad: 'var(--w-negative)', info: 'var(--w-primary-ink)' };
const Box = styled.div<{ $tone: ToastShown['tone'] }>`
  display: flex; align-items: flex-start; gap: 12px; padding: 12px 8px 12px 16px; border-radius: var(--w-radius-control); background: var(--w-surface); pointer-events: auto;
  border: 1px solid var(--w-line); border-left: 4px solid ${(p) => toneColors[p.$tone]};
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent); animation: ${rise} 160ms;
  > span { color: ${(p) => toneColors[p.$tone]}; padding: 4px 0; } p { flex: 1; padding: 4px 0; min-width: 0; }
  > button { margin: -6px 0; }
`;
