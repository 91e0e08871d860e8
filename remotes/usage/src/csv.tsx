import { useDownload, useProblemText } from '@wattle/sdk';
import { Alert, Button, Notice } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { isWorthSaving } from './csv.rules';

type Layout = 'csv' | 'excel';

/**
 * Downloads a connection's measurements: for Excel, or in version 1 for other programs (9-usage-csv-excel). If there are no
 * measurements, it shows a text instead (7.2-csv-too-small).
 */
export function CsvDownload({ ean, name }: { ean: string; name: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  const [empty, setEmpty] = useState(false);
  const [last, setLast] = useState<Layout>();
  // The server names the file: historical-data-{ean}.csv (7.2-csv-name-reconcile).
  const save = async (layout: Layout) => {
    setEmpty(false);
    setLast(layout);
    await download('/smartmeterreadings/csv/{ean}', {
      path: { ean },
      ...(layout === 'excel' ? { query: { layout } } : {}),
      worth: (file) => {
        const worth = isWorthSaving(file);
        setEmpty(!worth);
        return worth;
      },
    });
  };
  return (
    <>
      <Both>
        <Button
          small
          icon="download"
          loading={busy && last === 'excel'}
          onClick={() => void save('excel')}
          aria-label={intl.formatMessage({ id: 'usage.excel.what', defaultMessage: 'Download for Excel {what}' }, { what: name })}
        >
          <FormattedMessage id="usage.excel.download" defaultMessage="Download for Excel" />
        </Button>
        <Button
          small
          variant="quiet"
          loading={busy && last === 'csv'}
          onClick={() => void save('csv')}
          aria-label={intl.formatMessage({ id: 'usage.csv.what', defaultMessage: 'Download CSV {what}' }, { what: name })}
        >
          <FormattedMessage id="usage.csv.download" defaultMessage="Download CSV" />
        </Button>
      </Both>
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

const Both = styled.div`display: flex; flex-wrap: wrap; gap: 4px 8px;`;
const Wide = styled.div`flex: 1 0 100%;`;
