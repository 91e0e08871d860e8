import { useProblemText } from '@wattle/sdk';
import { Stack } from '@wattle/ui';
import { Form, RadioGroup, SaveButton, useFields } from '@wattle/ui/forms';
import { FormattedMessage, useIntl } from 'react-intl';
import { streetLine, townLine } from './address.rules';
import { movable } from './agreement.rules';
import { Choices } from './choices';
import type { PageProps } from './page-props';
import { Contact, OfflineReason, Quiet, StepTitle, WizardActions } from './texts';
import { useSaveDraft } from './use-save-draft';
import { checkAgreementChoice, placesOf } from './wizard.rules';

/** Page 0: selects the agreement to move, with its address. The customer must select one to continue (2.2-page0). */
export function AgreementPage({ draft, keep, known, chosen, go, heading }: PageProps) {
  const intl = useIntl();
  const text = useProblemText();
  const check = (agreement: string) => checkAgreementChoice({ ...draft, agreement }, known)[0];
  const fields = useFields({
    initial: { agreement: chosen?.agreement_identifier_with_sequence ?? '' },
    changes: false,
    check: ({ agreement }) => {
      const code = check(agreement);
      return { agreement: code && text({ code }) };
    },
  });
  useSaveDraft(fields.values, keep);
  const code = check(fields.values.agreement);
  const { error, ...field } = fields.field('agreement');
  return (
    <Form {...fields.form(() => go(1))}>
      <StepTitle heading={heading}>
        <FormattedMessage id="move.agreement.title" defaultMessage="Which contract are you moving?" />
      </StepTitle>
      <RadioGroup
        {...field}
        {...(code === 'move.agreement_required' ? { error } : {})}
        variant="card"
        required
        label={<FormattedMessage id="move.agreement.label" defaultMessage="Contract" />}
        options={movable(known.agreements).map((a) => {
          const id = a.agreement_identifier_with_sequence;
          const places = placesOf(a);
          return {
            value: id,
            text: a.name,
            hint: (
              <>
                {places.map((p) => (
                  <span key={streetLine(p)}>
                    {streetLine(p)}, {townLine(p)}
                    <br />
                  </span>
                ))}
                <FormattedMessage id="move.agreement.id" defaultMessage="contract {id}" values={{ id }} />
              </>
            ),
            ...(known.pending.has(id) ? { disabledReason: text({ code: 'move.pending' }) } : {}),
          };
        })}
      />
      {code === 'move.bad_situation' && ( // 8-msg-bad-situation, 2.2-offline-multi-address
        <OfflineReason
          title={
            <FormattedMessage
              id="move.bad_situation_title"
              defaultMessage="A contract with several addresses cannot be moved online"
            />
          }
        >
          <FormattedMessage
            id="move.bad_situation_text"
            defaultMessage="This contract supplies several addresses, and we want to be sure to move the right one."
          />
        </OfflineReason>
      )}
      <Choices draft={draft} known={known} chosen={chosen} />
      <Stack gap={24}>
        <Quiet>
          <FormattedMessage
            id="move.agreement.missing"
            defaultMessage="Is your contract not here? Then it has ended or is with another company. {contact}"
            values={{ contact: <Contact /> }}
          />
        </Quiet>
        <WizardActions $says={code === 'move.bad_situation'}>
          <SaveButton iconEnd="forward" disabledReason={code && text({ code })} fields={['agreement']}>
            {intl.formatMessage({ id: 'move.next', defaultMessage: 'Next' })}
          </SaveButton>
        </WizardActions>
      </Stack>
    </Form>
  );
}
