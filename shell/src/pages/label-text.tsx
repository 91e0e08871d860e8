import { useQuery } from '@tanstack/react-query';
import type { Path } from '@wattle/sdk';
import { call, useLocation, useNavigate } from '@wattle/sdk/host';
import { ErrorState, Page, Skeleton } from '@wattle/ui';
import { Html } from '@wattle/ui/html';
import { type ReactElement, useCallback } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useShell } from '../context';
import { helpPath, pagePath, titleOf } from '../label-pages';
import { useLabelPages } from '../use-label-pages';

/** The text of a label's legal or help page, in the visitor's language (9-label-pages). */
export default function LabelText(): ReactElement | null {
  const intl = useIntl();
  const { locale } = useShell();
  const navigate = useNavigate();
  const { pathname, hash } = useLocation();
  const path = pathname.replace(/\/$/, '');
  const page = useLabelPages().find((p) => pagePath(p) === path);
  const slug = page?.slug ?? '';
  const text = useQuery({
    queryKey: ['/pages/{slug}', { path: { slug } }, locale],
    enabled: page !== undefined,
    queryFn: ({ signal }) =>
      call('get', '/pages/{slug}', { path: { slug }, signal }) as Promise<{ html: string; locale: string }>,
  });
  // the browser looks for the heading before there is a text
  const focusHeading = useCallback(() => {
    const headings = document.querySelectorAll<HTMLElement>(':is(h2, h3, h4)[id]');
    const heading = hash && [...headings].find((h) => new URL(`#${h.id}`, location.href).hash === hash);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }, [hash]);
  if (!page) return null;
  return (
    <Page
      title={<FormattedMessage {...titleOf(page)} />}
      {...(page.place === 'help' && {
        back: { href: helpPath, text: intl.formatMessage({ id: 'shell.help.title', defaultMessage: 'Help' }) },
      })}
    >
      {text.isPending && <Skeleton shape="text" count={6} />}
      {text.isError && <ErrorState onRetry={() => void text.refetch()} retrying={text.isRefetching} />}
      {text.data && <Html page html={text.data.html} onDrawn={focusHeading} onLink={(to) => void navigate(to as Path)} />}
    </Page>
  );
}
