import { useDownload, useProblemText } from '@wattle/sdk';
import { Alert, Button, Notice } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { isWorthSaving } from './csv.rules';

/** The measurements of a connection as a file. One without measurements says so instead (7.2-csv-too-small). */
export function CsvDownload({ ean, name }: { ean: string; name: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  const [empty, setEmpty] = useState(false);
  // Saved under the name that the server gives: historical-data-{ean}.csv (7.2-csv-name-reconcile).
  const save = async () => {
    setEmpty(false);
    await download('/smartmeterreadings/csv/{ean}', {
      path: { ean },
      worth: (file) => {
        const worth = isWorthSaving(file);
        setEmpty(!worth);
        return worth;
      },
    });
  };
  return (
    <>
      <Button
        small
        icon="download"
        loading={busy}
        onClick={() => void save()}
        aria-label={intl.formatMessage({ id: 'usage.csv.what', defaultMessage: 'Download CSV {what}' }, { what: name })}
      >
        <FormattedMessage id="usage.csv.download" defaultMessage="Download CSV" />
      </Button>
      {empty && (
        <Wide>
          <Notice live>
            <FormattedMessage
              id="usage.csv.empty"
              defaultMessage="There is no meter data to download yet. Fetch the latest data first."
            />
          </Notice>
        </Wide>
      )}
      {problem && (
        <Wide>
          <Alert>{text(problem)}</Alert>
        </Wide>
      )}
    </>
  );
}

const Wide = styled.div`flex: 1 0 100%;`;
