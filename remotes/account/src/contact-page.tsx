import { useDraft, useMay, usePortal, useProblemText } from '@wattle/sdk';
import { Alert, Card, Facts, Notice, Page, PhoneLink, Stack, TextLink } from '@wattle/ui';
import { Form, SaveButton, Select, TextArea, useFields } from '@wattle/ui/forms';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { type ContactForm, checkContact, type Subject, subjects } from './contact.rules';
import { Days, OpenNow, Times } from './hours';

export default function ContactPage() {
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="account.contact.title" defaultMessage="Contact" />}
      sentence={
        <FormattedMessage id="account.contact.intro" defaultMessage="We are happy to help. Call us, or write to us here." />
      }
    >
      <Halves>
        <Card title={<FormattedMessage id="account.contact.write" defaultMessage="Send a message" />}>
          <MessageForm />
        </Card>
        <ContactDetails />
      </Halves>
    </Page>
  );
}

/** 2.1-contact-info: phone number, email address and opening hours of the label's customer service. */
function ContactDetails() {
  const { label } = usePortal();
  return (
    <Card tone="tint" title={<FormattedMessage id="account.service.title" defaultMessage="Customer service" />}>
      <Facts
        stacked
        items={[
          {
            label: <FormattedMessage id="account.contact.phone" defaultMessage="Phone" />,
            value: (
              <Large>
                <PhoneLink number={label.phone} />
              </Large>
            ),
          },
          {
            label: <FormattedMessage id="account.contact.email" defaultMessage="Email" />,
            value: <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>,
          },
          {
            label: <FormattedMessage id="account.contact.hours" defaultMessage="Opening hours" />,
            value: (
              <Stack gap={12}>
                <OpenNow hours={label.hours} />
                <Hours>
                  {label.hours.map((h) => (
                    <li key={`${h.text} ${h.from}`}>
                      <span>
                        <Days of={h} />
                      </span>
                      <span>
                        <Times of={h} />
                      </span>
                    </li>
                  ))}
                </Hours>
              </Stack>
            ),
          },
        ]}
      />
    </Card>
  );
}

const empty = { subject: '', message: '' };
type Values = { [K in keyof ContactForm]: string };

/** 2.1-contact-form-fields. The text is kept in this tab until it has been sent, even if the customer leaves the page. */
function MessageForm() {
  const intl = useIntl();
  const text = useProblemText();
  const may = useMay('account.sendContact');
  const [draft, keep, forget] = useDraft<Values>('contact', empty);
  const [initial] = useState(draft);
  const [sent, setSent] = useState(false);
  const send = api.useWrite('post', '/relations/contact', { changes: ['/staff/contacts'] });
  const fields = useFields<Values>({
    initial,
    changes: false,
    check: (values) =>
      Object.fromEntries(
        Object.entries(checkContact(values)).map(([field, code]) => [
          field,
          code === 'required'
            ? intl.formatMessage(
                {
                  id: 'account.contact.missing',
                  defaultMessage: '{field, select, subject {Choose a subject.} other {Write your message.}}',
                },
                { field },
              )
            : text({ code }),
        ]),
      ) as Partial<Values>,
  });
  const { subject, message } = fields.values;
  useEffect(() => {
    if (subject || message) keep({ subject, message });
  }, [keep, subject, message]);

  const submit = (values: Values) => {
    setSent(false);
    send.mutate(
      { body: { subject: values.subject as Subject, message: values.message } },
      {
        onSuccess: () => {
          fields.reset(empty);
          forget();
          setSent(true);
        },
      },
    );
  };
  const subjectText: Record<Subject, string> = {
    payments: intl.formatMessage({ id: 'account.subject.payments', defaultMessage: 'Payments' }),
    products: intl.formatMessage({ id: 'account.subject.products', defaultMessage: 'Products' }),
    usage: intl.formatMessage({ id: 'account.subject.usage', defaultMessage: 'Usage' }),
    relocation: intl.formatMessage({ id: 'account.subject.relocation', defaultMessage: 'Moving home' }),
    suggestion: intl.formatMessage({ id: 'account.subject.suggestion', defaultMessage: 'Suggestion or complaint' }),
    other: intl.formatMessage({ id: 'account.subject.other', defaultMessage: 'Something else' }),
  };
  return (
    <Form busy={send.isPending} {...fields.form(submit)}>
      {sent && (
        <Notice
          tone="positive"
          live
          title={<FormattedMessage id="account.contact.sent" defaultMessage="Your message has been sent" />}
        >
          <FormattedMessage id="account.contact.sent_text" defaultMessage="We usually answer within 2 working days, by email." />
        </Notice>
      )}
      {send.error && (
        <Alert title={<FormattedMessage id="account.contact.failed" defaultMessage="Your message has not been sent" />}>
          {text(send.error)}
        </Alert>
      )}
      <Select
        {...fields.field('subject')}
        required
        label={<FormattedMessage id="account.contact.subject" defaultMessage="Subject" />}
        empty={intl.formatMessage({ id: 'account.contact.choose', defaultMessage: 'Choose a subject' })}
        options={subjects.map((value) => ({ value, text: subjectText[value] }))}
      />
      <TextArea
        {...fields.field('message')}
        required
        rows={8}
        label={<FormattedMessage id="account.contact.message" defaultMessage="Your message" />}
        hint={<FormattedMessage id="account.contact.hint" defaultMessage="We see your name and customer number with it." />}
      />
      <div>
        <SaveButton busy={send.isPending} disabledReason={may.ok ? undefined : may.reason}>
          <FormattedMessage id="account.contact.send" defaultMessage="Send" />
        </SaveButton>
      </div>
    </Form>
  );
}

const Halves = styled.div`
  display: grid; gap: 24px; align-items: start; grid-template-columns: minmax(0, 1.7fr) minmax(0, 1fr);
  @media (max-width: 1099px) { grid-template-columns: minmax(0, 1fr); }
`;
const Large = styled.span`font-size: 20px; font-weight: 600;`;
const Hours = styled.ul`
  list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; font-variant-numeric: tabular-nums;
  li { display: grid; grid-template-columns: 1fr auto; gap: 16px; }
`;
