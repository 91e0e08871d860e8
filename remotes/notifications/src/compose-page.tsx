import { useDraft, useMay, useNavigate, useNotify, useNow, usePortal, useProblemText, useToday } from '@wattle/sdk';
import { Alert, Button, ConfirmDialog, formatDay, formatNumber, Page, Row, Section, Skeleton, Stack } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Checkbox, Form, FormActions, RadioGroup, SaveButton, Select, TextArea, TextField, useFields } from '@wattle/ui/forms';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, pathsAfterSending } from './api';
import {
  type Composed,
  checkComposed,
  draftOf,
  empty,
  kinds,
  momentAt,
  readTime,
  recipientsRequest,
  refusals,
} from './compose.rules';
import { useKind } from './kind';
import { Preview } from './preview';
import { useDebounced } from './use-debounced';

/** The draft of a message until it has been sent; because of its id, a retry does not send it twice. */
interface StoredDraft {
  id: string;
  values: Composed;
}
const start = (): StoredDraft => ({ id: crypto.randomUUID(), values: empty });

/**
 * For staff: writes a message to customers, in both languages with a preview, recipients and time (6-staff-notifications-compose).
 */
export default function ComposePage() {
  const [kept, keep, forget] = useDraft<StoredDraft | null>('compose', null);
  const [made, setMade] = useState(() => kept ?? start());
  return (
    <Compose
      key={made.id}
      kept={made}
      keep={keep}
      onOver={() => {
        forget();
        setMade(start());
      }}
    />
  );
}

function Compose({ kept, keep, onOver }: { kept: StoredDraft; keep(next: StoredDraft): void; onOver(): void }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const navigate = useNavigate();
  const kindOf = useKind();
  const today = useToday();
  const now = useNow();
  const { timeZone } = usePortal();
  const may = useMay('notifications.sendNotification');
  const send = api.useWrite('post', '/staff/notifications', { changes: pathsAfterSending });
  const [asking, setAsking] = useState(false);
  const missing = (field: string) =>
    intl.formatMessage(
      {
        id: 'notifications.compose.missing',
        defaultMessage:
          '{field, select, kind {Choose what the message is about.} audience_project {Enter the code of the project.} audience_relations {Enter at least one customer number.} title_nl {Write a Dutch title.} title_en {Write an English title.} message_nl {Write the message in Dutch.} message_en {Write the message in English.} other {Choose a date.}}',
      },
      { field: field.replace('.', '_') },
    );
  const fields = useFields<Composed>({
    initial: kept.values,
    changes: false,
    check: (v) =>
      Object.fromEntries(
        Object.entries(checkComposed(v, now, timeZone)).map(([field, code]) => [
          field,
          code && (code === 'required' ? missing(field) : text({ code })),
        ]),
      ) as Record<keyof Composed, string | undefined>,
  });
  const { values } = fields;
  const touched = JSON.stringify(values) !== JSON.stringify(empty);
  useEffect(() => {
    if (touched) keep({ id: kept.id, values });
  }, [keep, kept.id, values, touched]);

  const draft = draftOf(values);
  const countRequest = JSON.stringify(recipientsRequest(values) ?? null);
  const countedRequest = useDebounced(countRequest, 400);
  const reach = api.useSearch(
    '/staff/notifications/preview',
    { body: JSON.parse(countedRequest) ?? draft },
    { enabled: may.ok && countedRequest !== 'null' },
  );
  const wrongReach = refusals(values, reach.error?.errors ?? [], text);
  const field = <K extends keyof Composed & string>(name: K) => {
    const own = fields.field(name);
    return { ...own, error: own.error ?? wrongReach[name] };
  };
  const planned = values.when === 'planned';
  const known = countedRequest === countRequest && !reach.isPlaceholderData && !reach.isError ? reach.data : undefined;

  // Sending requires the number of recipients.
  const uncounted = reach.isError && !reach.error.errors?.length;
  const blocked = reach.isError && countedRequest === countRequest ? text(reach.error.errors?.[0] ?? reach.error) : undefined;

  const submit = () => {
    const time = readTime(values.time);
    const publish_at = planned && values.day && time ? (momentAt(values.day, time, timeZone) ?? null) : null;
    send.mutate(
      { body: { ...draft, id: kept.id, publish_at, mail: values.mail } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              {
                id: 'notifications.compose.done',
                defaultMessage: '{when, select, planned {The message is planned.} other {The message has been sent.}}',
              },
              { when: values.when },
            ),
          });
          onOver();
          navigate(`/staff/notifications?state=${planned ? 'planned' : 'sent'}`);
        },
        onError: (problem) => fields.refuse(refusals(values, problem.errors ?? [], text)),
        onSettled: () => setAsking(false),
      },
    );
  };
  const language = (l: 'nl' | 'en', name: string) => (
    <Section title={name}>
      <TextField
        {...field(`title.${l}`)}
        required
        maxLength={120}
        label={<FormattedMessage id="notifications.compose.subject" defaultMessage="Title" />}
      />
      <TextArea
        {...field(`message.${l}`)}
        required
        rows={9}
        label={<FormattedMessage id="notifications.compose.message" defaultMessage="Message" />}
        hint={
          <FormattedMessage
            id="notifications.compose.hint"
            defaultMessage="An empty line begins a new paragraph, lines that begin with - become a list. **Bold** and [a link](https://…) work too."
          />
        }
      />
      <Preview title={values[`title.${l}`]} message={draft.message[l]} lang={l} />
    </Section>
  );
  return (
    <Page
      width="wide"
      back={{
        href: '/staff/notifications',
        text: intl.formatMessage({ id: 'notifications.staff.title', defaultMessage: 'Messages to customers' }),
      }}
      title={<FormattedMessage id="notifications.compose.title" defaultMessage="New message" />}
      sentence={
        <FormattedMessage
          id="notifications.compose.intro"
          defaultMessage="Customers read it in the language they use. What you write stays here until it has been sent."
        />
      }
    >
      <Form busy={send.isPending} {...fields.form(() => setAsking(true))}>
        {send.error && !send.error.errors?.length && (
          <Alert title={<FormattedMessage id="notifications.compose.failed" defaultMessage="The message has not been sent" />}>
            {text(send.error)}
          </Alert>
        )}
        <TwoColumns>
          <Stack gap={24}>
            <Select
              {...field('kind')}
              required
              label={<FormattedMessage id="notifications.compose.kind" defaultMessage="About" />}
              empty={intl.formatMessage({ id: 'notifications.compose.choose', defaultMessage: 'Choose what it is about' })}
              options={kinds.map((value) => ({ value, text: kindOf(value) }))}
              hint={
                <FormattedMessage
                  id="notifications.compose.kind_hint"
                  defaultMessage="Customers can switch off projects, news and market. The others reach everyone."
                />
              }
            />
            <RadioGroup
              {...field('audience')}
              onChange={(v) => fields.set('audience', v as Composed['audience'])}
              label={<FormattedMessage id="notifications.compose.audience" defaultMessage="For whom" />}
              options={(['all', 'project', 'selection'] as const).map((value) => ({
                value,
                text: <Audience audience={value} />,
              }))}
            />
            {values.audience === 'project' && (
              <TextField
                {...field('audience.project')}
                required
                width={240}
                maxLength={64}
                autoComplete="off"
                spellCheck={false}
                label={<FormattedMessage id="notifications.compose.project" defaultMessage="Code of the project" />}
              />
            )}
            {values.audience === 'selection' && (
              <TextArea
                {...field('audience.relations')}
                required
                rows={4}
                spellCheck={false}
                label={<FormattedMessage id="notifications.compose.numbers" defaultMessage="Customer numbers" />}
                hint={
                  <FormattedMessage
                    id="notifications.compose.numbers_hint"
                    defaultMessage="One a line, or with commas between them."
                  />
                }
              />
            )}
          </Stack>
          <Stack gap={24}>
            <RadioGroup
              {...field('when')}
              onChange={(v) => fields.set('when', v as Composed['when'])}
              label={<FormattedMessage id="notifications.compose.when" defaultMessage="When" />}
              options={[
                { value: 'now', text: <FormattedMessage id="notifications.compose.now" defaultMessage="At once" /> },
                { value: 'planned', text: <FormattedMessage id="notifications.compose.planned" defaultMessage="Planned" /> },
              ]}
            />
            {planned && (
              <Moment>
                <DateField
                  {...field('day')}
                  onChange={(day) => fields.set('day', day)}
                  required
                  today={today}
                  min={today}
                  width={200}
                  label={<FormattedMessage id="notifications.compose.day" defaultMessage="Date" />}
                />
                <TextField
                  {...field('time')}
                  required
                  width={112}
                  maxLength={5}
                  autoComplete="off"
                  label={<FormattedMessage id="notifications.compose.time" defaultMessage="Time" />}
                />
              </Moment>
            )}
            <Checkbox
              {...fields.box('mail')}
              hint={
                <FormattedMessage
                  id="notifications.compose.mail_hint"
                  defaultMessage="Only to those who have not switched that off for this kind."
                />
              }
            >
              <FormattedMessage id="notifications.compose.mail" defaultMessage="Send it by email too" />
            </Checkbox>
          </Stack>
        </TwoColumns>
        <TwoColumns>
          {language('nl', intl.formatMessage({ id: 'notifications.compose.dutch', defaultMessage: 'Dutch' }))}
          {language('en', intl.formatMessage({ id: 'notifications.compose.english', defaultMessage: 'English' }))}
        </TwoColumns>
        <Reach role="status">
          {known ? (
            <Recipients {...known} mail={values.mail} />
          ) : uncounted ? (
            <Row justify="between">
              <FormattedMessage
                id="notifications.compose.uncounted"
                defaultMessage="We cannot count who would get it right now."
              />
              <Button small icon="retry" loading={reach.isFetching} onClick={() => void reach.refetch()}>
                <FormattedMessage id="notifications.compose.count" defaultMessage="Count again" />
              </Button>
            </Row>
          ) : (
            <FormattedMessage
              id="notifications.compose.reach_unknown"
              defaultMessage="How many customers get it stands here once you have chosen what it is about and for whom it is."
            />
          )}
        </Reach>
        <FormActions>
          <SaveButton
            busy={send.isPending}
            disabledReason={may.ok ? (fields.disabledReason ?? blocked) : may.reason}
            {...(may.ok && { fields: Object.keys(wrongReach) })}
            icon={planned ? 'clock' : 'mail'}
          >
            <SendLabel planned={planned} />
          </SaveButton>
          {touched && (
            <Button variant="quiet" disabled={send.isPending} onClick={onOver}>
              <FormattedMessage id="notifications.compose.over" defaultMessage="Begin again" />
            </Button>
          )}
        </FormActions>
      </Form>
      <ConfirmDialog
        isOpen={asking}
        title={
          <FormattedMessage
            id="notifications.compose.sure"
            defaultMessage="{planned, select, true {Plan this message?} other {Send this message now?}}"
            values={{ planned: String(planned) }}
          />
        }
        confirm={<SendLabel planned={planned} />}
        busy={send.isPending || !known}
        onConfirm={submit}
        onClose={() => setAsking(false)}
      >
        <Stack gap={8}>
          <strong>{values['title.nl']}</strong>
          {known ? <Recipients {...known} mail={values.mail} /> : <Skeleton shape="text" />}
          {planned && values.day && (
            <span>
              <FormattedMessage
                id="notifications.compose.at"
                defaultMessage="On {day} at {time}. Until then you can withdraw it."
                values={{ day: formatDay(values.day), time: readTime(values.time) ?? '' }}
              />
            </span>
          )}
        </Stack>
      </ConfirmDialog>
    </Page>
  );
}

/** 6-staff-notifications-reach */
function Recipients({ recipients, mails, mail }: { recipients: number; mails: number; mail: boolean }) {
  return (
    <span>
      <FormattedMessage
        id="notifications.compose.reach"
        defaultMessage="{count, plural, =0 {Nobody gets this message} one {<b>1 customer</b> gets this message} other {<b>{shown} customers</b> get this message}}{mail, select, true {{mails, plural, =0 {, nobody by email} other {, {shownMails} of them by email too}}} other {}}."
        values={{
          count: recipients,
          shown: formatNumber(recipients),
          mail: String(mail),
          mails,
          shownMails: formatNumber(mails),
          b: (words) => <strong>{words}</strong>,
        }}
      />
    </span>
  );
}

export function Audience({ audience, project }: { audience: string; project?: string | undefined }) {
  return (
    <FormattedMessage
      id="notifications.audience"
      defaultMessage="{audience, select, all {All customers} project {Participants of {known, select, yes {{project}} other {a project}}} other {A number of customers}}"
      values={{ audience, known: project ? 'yes' : 'no', project: project ?? '' }}
    />
  );
}

const SendLabel = ({ planned }: { planned: boolean }) =>
  planned ? (
    <FormattedMessage id="notifications.compose.plan" defaultMessage="Plan" />
  ) : (
    <FormattedMessage id="notifications.compose.send" defaultMessage="Send" />
  );

const TwoColumns = styled.div`
  display: grid; gap: 32px; grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start;
  @media (max-width: 959px) { grid-template-columns: minmax(0, 1fr); }
`;
const Moment = styled.div`display: flex; flex-wrap: wrap; gap: 16px; > * { width: auto; }`;
const Reach = styled.div`padding: 16px; border-radius: var(--w-radius-control); background: var(--w-tint); strong { font-weight: 600; }`;
