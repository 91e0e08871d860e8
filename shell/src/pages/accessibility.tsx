import { CivilDate, Page, PhoneLink, Section, TextLink } from '@wattle/ui';
import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';
import { useShell } from '../context';
import { LaterTexts } from '../later-texts';

/** The last date on which `make a11y` and the journeys of face-journey-* found no defects. */
const tested = '2026-11-22';

/** The Dutch supervisory authority for the accessibility of online services. */
const supervisor = 'https://www.acm.nl';

/** face-statement: the information required by the European Accessibility Act, with the label's name, contact, status and date. */
export default function Accessibility(): ReactElement {
  return (
    <LaterTexts>
      <Statement />
    </LaterTexts>
  );
}

function Statement(): ReactElement {
  const { label } = useShell().portal;
  const { status, tested: own, url } = label.accessibility;
  const name = label.name;
  const title = <FormattedMessage id="shell.accessibility.title" defaultMessage="Accessibility" />;
  if (url)
    return (
      <Page title={title}>
        <p>
          <FormattedMessage
            id="shell.accessibility.elsewhere"
            defaultMessage="The accessibility statement of {name} is on another page: {link}."
            values={{
              name,
              link: (
                <TextLink href={url} external>
                  {new URL(url).host}
                </TextLink>
              ),
            }}
          />
        </p>
      </Page>
    );
  return (
    <Page
      title={title}
      sentence={
        <FormattedMessage
          id="shell.accessibility.intro"
          defaultMessage="{name} wants everyone to be able to use this portal: with a screen reader, with the keyboard alone, enlarged, or in colours of your own."
          values={{ name }}
        />
      }
    >
      <Section title={<FormattedMessage id="shell.accessibility.scope_title" defaultMessage="What this statement is about" />}>
        <p>
          <FormattedMessage
            id="shell.accessibility.scope"
            defaultMessage="This statement is about {host}, the customer portal of {name}: signing in, your details, your contract, your invoices and everything else you arrange here."
            values={{ name, host: location.hostname }}
          />
        </p>
        <p>
          <FormattedMessage
            id="shell.accessibility.law"
            defaultMessage="The portal falls under the European Accessibility Act (Directive (EU) 2019/882) and the Dutch law that carries it out. We test it against the standard EN 301 549, which includes WCAG level AA. We use version 2.2 of WCAG, which asks a little more."
          />
        </p>
      </Section>
      <Section title={<FormattedMessage id="shell.accessibility.state_title" defaultMessage="How accessible the portal is" />}>
        <p>
          <strong>
            <FormattedMessage
              id="shell.accessibility.state"
              defaultMessage="{status, select, full {The portal meets the standard fully.} none {The portal does not meet the standard yet.} other {The portal meets the standard in part.}}"
              values={{ status }}
            />
          </strong>{' '}
          <FormattedMessage
            id="shell.accessibility.tested"
            defaultMessage="Last tested on {day}."
            values={{ day: <CivilDate day={own ?? tested} /> }}
          />
        </p>
        <p>
          <FormattedMessage
            id="shell.accessibility.method"
            defaultMessage="We check every page ourselves, in Dutch and English, for a computer and for a phone: with automatic tests, and by going through the main tasks with the keyboard alone, at 200% zoom, with reduced motion and in high contrast. No independent body has judged the portal yet."
          />
        </p>
      </Section>
      {status !== 'full' && (
        <Section title={<FormattedMessage id="shell.accessibility.known_title" defaultMessage="What does not work well yet" />}>
          <p>
            <FormattedMessage
              id="shell.accessibility.known_papers"
              defaultMessage="Invoices and other documents in PDF cannot always be read well by a screen reader. Amounts and dates are also on the pages themselves. If you need a document in another form, ask us: we make it for you free of charge."
            />
          </p>
          <p>
            <FormattedMessage
              id="shell.accessibility.known_others"
              defaultMessage="We have not tested pages of others that the portal leads to, such as those of a bank or a payment service."
            />
          </p>
        </Section>
      )}
      <Section title={<FormattedMessage id="shell.accessibility.help_title" defaultMessage="Does something not work for you?" />}>
        <p>
          <FormattedMessage
            id="shell.accessibility.help"
            defaultMessage="Tell us: call {phone} or write to {email}. Say which page it was and what went wrong. We let you know within 5 working days what we do about it. What you cannot arrange in the portal, we arrange with you on the phone."
            values={{
              phone: <PhoneLink number={label.phone} />,
              email: <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>,
            }}
          />
        </p>
        <p>
          <FormattedMessage
            id="shell.accessibility.complain"
            defaultMessage="Not satisfied with our answer? Then you can report it to the {link}, the authority that supervises the accessibility of online services in the Netherlands."
            values={{
              link: (
                <TextLink href={supervisor} external>
                  <FormattedMessage
                    id="shell.accessibility.supervisor"
                    defaultMessage="Netherlands Authority for Consumers and Markets (ACM)"
                  />
                </TextLink>
              ),
            }}
          />
        </p>
      </Section>
    </Page>
  );
}
