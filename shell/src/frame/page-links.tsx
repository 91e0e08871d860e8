import { TextLink } from '@wattle/ui/start';
import type { ReactElement, ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useShell } from '../context';
import { helpPath, pagePath, titleOf } from '../label-pages';
import { useLabelPages } from '../use-label-pages';

/** Links to the list of help pages, the label's footer pages (9-label-pages) and its privacy statement (2.5-footer-privacy). */
export function PageLinks({ frame: Frame = plain }: { frame?: (p: { children: ReactNode }) => ReactNode }): ReactElement {
  const intl = useIntl();
  const pages = useLabelPages();
  const privacy = useShell().portal.label.privacy_url;
  return (
    <>
      {pages.some((p) => p.place === 'help') && (
        <Frame>
          <TextLink href={helpPath}>
            <FormattedMessage id="shell.help.title" defaultMessage="Help" />
          </TextLink>
        </Frame>
      )}
      {pages
        .filter((p) => p.place === 'footer')
        .map((p) => (
          <Frame key={p.slug}>
            <TextLink href={pagePath(p)}>{intl.formatMessage(titleOf(p))}</TextLink>
          </Frame>
        ))}
      {privacy && (
        <Frame>
          <TextLink href={privacy} external={!privacy.startsWith('/')}>
            <FormattedMessage id="shell.footer.privacy" defaultMessage="Privacy and cookies" />
          </TextLink>
        </Frame>
      )}
    </>
  );
}

const plain = ({ children }: { children: ReactNode }) => children;
