import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Skeleton } from './skeleton';
import { ErrorState } from './states';

/** The sanitizer is fetched when the first HTML is rendered. */
const load = () => import('./sanitize');

export interface HtmlProps {
  /** The HTML. It is sanitized before it is rendered. */
  html: string;
  /** The HTML is a whole page, with headings from level 2, links between them, and tables. */
  page?: boolean;
  /** Called once the HTML is rendered, or has failed to render. */
  onDrawn?: (() => void) | undefined;
  /** Called for links to portal pages. Navigate without a full page load, which would end an impersonation. */
  onLink(path: string): void;
}

/**
 * Renders HTML written by a person. It is always sanitized here, even if the server has already done so
 * (2.5-notifications-sanitise).
 */
export function Html({ html, page = false, onDrawn, onLink }: HtmlProps) {
  const intl = useIntl();
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'failed' | readonly Node[]>('loading');
  const [attempt, setAttempt] = useState(0);
  const newTab = intl.formatMessage({ id: 'ui.new_tab', defaultMessage: '(opens in a new tab)' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again at each new attempt
  useEffect(() => {
    let over = false;
    load().then(
      ({ sanitize }) => {
        if (!over) setState([...sanitize(html, newTab, page).childNodes]);
      },
      () => over || setState('failed'),
    );
    return () => {
      over = true;
    };
  }, [html, newTab, page, attempt]);
  useLayoutEffect(() => {
    if (typeof state === 'object') box.current?.replaceChildren(...state);
    if (state !== 'loading') onDrawn?.();
  }, [state, onDrawn]);
  useEffect(() => {
    const go = (event: MouseEvent) => {
      const to = (event.target as Element).closest('a')?.getAttribute('href') ?? '';
      if (!to.startsWith('/') || to.startsWith('/api/') || event.button !== 0) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onLink(to);
    };
    const at = box.current;
    at?.addEventListener('click', go);
    return () => at?.removeEventListener('click', go);
  }, [onLink]);
  return (
    <>
      {state === 'loading' && <Skeleton shape="text" count={2} />}
      {state === 'failed' && (
        <ErrorState
          compact
          onRetry={() => {
            setState('loading');
            setAttempt(attempt + 1);
          }}
        />
      )}
      <Text ref={box} />
    </>
  );
}

const Text = styled.div`
  max-width: 65ch; overflow-wrap: anywhere;
  > * + * { margin-top: 12px; } ul, ol { padding-left: 24px; } li + li { margin-top: 4px; }
  h2 { font-size: 20px; } > h2 { margin-top: 32px; } h2, h3, h4 { scroll-margin-top: 80px; } hr { border: 0; border-top: 1px solid var(--w-line); }
  table { border-collapse: collapse; width: 100%; } th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--w-line); vertical-align: top; overflow-wrap: break-word; }
  th { text-align: left; } th[align='right'], td[align='right'] { text-align: right; padding-right: 0; } th:last-child, td:last-child { padding-right: 0; }
  @media (max-width: 767px) { table { font-size: 14px; } }
  h3, h4 { font-size: 16px; margin-top: 24px; } blockquote { margin-inline: 0; padding-left: 16px; border-left: 3px solid var(--w-line); }
  a span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
