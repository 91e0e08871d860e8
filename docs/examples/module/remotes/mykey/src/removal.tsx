// {change}
import { useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, Card, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';

/** The request to remove all notes, which the back office decides. */
export function Removal() {
  const text = useProblemText();
  const may = useMay('mykey.requestRemoval');
  const removal = api.useGet('/mykey/removal');
  const ask = api.useWrite('post', '/mykey/removal', { changes: ['/mykey/removal'] });
  return (
    <Card title={<FormattedMessage id="mykey.removal" defaultMessage="Remove everything" />}>
      <Stack gap={16}>
        {ask.error && <Alert>{text(ask.error)}</Alert>}
        {removal.isPending ? (
          <Skeleton shape="row" count={1} />
        ) : removal.data?.pending ? (
          <p>
            <FormattedMessage id="mykey.removal_pending" defaultMessage="We have received your request." />
          </p>
        ) : (
          <div>
            <Button
              loading={ask.isPending}
              disabledReason={may.ok ? undefined : may.reason}
              onClick={() => ask.mutate({ body: undefined })}
            >
              <FormattedMessage id="mykey.removal_ask" defaultMessage="Ask to remove all notes" />
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}
// {/change}
