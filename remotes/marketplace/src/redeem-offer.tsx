import { type OverlayProps, type Problem, useMay, useProblemText } from '@wattle/sdk';
import { formatEuros, LinkButton, Result } from '@wattle/ui';
import { Form, TextField, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { api, changes, may } from './api';
import { FailedAction, Footer } from './own';
import { checkCode } from './redeem.rules';

/** Returns whether the code caused a problem (8-redeem-invalid-code). */
const isCausedByCode = ({ status }: Problem): boolean => [400, 404, 409].includes(status);

/** 2.3-overlay-redeem-offer */
export default function RedeemOffer({ setDirty }: OverlayProps) {
  const text = useProblemText();
  const allowed = useMay(may.redeemOffer);
  const redeem = api.useWrite('post', '/sustainable/activation/direct/{id}', { changes: changes.personal });
  const invalid = text({ code: 'marketplace.code_invalid' });
  const fields = useFields({
    changes: false, // the form starts empty
    initial: { code: '' },
    check: ({ code }) => ({ code: checkCode(code).length > 0 ? invalid : undefined }),
  });
  useEffect(() => setDirty(fields.dirty && !redeem.isSuccess), [fields.dirty, redeem.isSuccess, setDirty]);
  const offer = redeem.data?.offer;
  if (offer)
    return (
      <Result
        level={2}
        title={<FormattedMessage id="marketplace.redeem.success" defaultMessage="Success" />}
        actions={
          <LinkButton variant="primary" href="/personal-offers">
            <FormattedMessage id="marketplace.redeem.to" defaultMessage="To your personal offers" />
          </LinkButton>
        }
      >
        <FormattedMessage
          id="marketplace.redeem.added"
          defaultMessage="Now among your personal offers: {project}, {what}."
          values={{ project: offer.project_name, what: `${offer.shares} × ${formatEuros(offer.price_per_share)}` }}
        />
      </Result>
    );
  const submit = ({ code }: { code: string }) =>
    redeem.mutate(
      { body: undefined, path: { id: code.trim() } },
      { onError: (p) => isCausedByCode(p) && fields.refuse({ code: invalid }) },
    );
  return (
    <Form busy={redeem.isPending} {...fields.form(submit)}>
      {redeem.error && !isCausedByCode(redeem.error) && <FailedAction of={redeem} retry={() => submit(fields.values)} />}
      <TextField
        {...fields.field('code')}
        required
        autoComplete="off"
        spellCheck={false}
        width={280}
        label={<FormattedMessage id="marketplace.redeem.code" defaultMessage="Code" />}
        hint={<FormattedMessage id="marketplace.redeem.hint" defaultMessage="The 11 characters that the seller gave you." />}
      />
      <Footer busy={redeem.isPending} disabledReason={allowed.ok ? fields.disabledReason : allowed.reason}>
        <FormattedMessage id="marketplace.redeem.save" defaultMessage="Redeem" />
      </Footer>
    </Form>
  );
}
