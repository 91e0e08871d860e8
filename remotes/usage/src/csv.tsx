import { type Problem, useProblemText } from '@wattle/sdk';
import { Alert, Button, Notice } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { isWorthSaving } from './csv.rules';

/** Saves under the name that the server gives: historical-data-{ean}.csv (7.2-csv-name-reconcile). */
function useCsv(ean: string) {
  const [state, setState] = useState<{ busy?: boolean; empty?: boolean; problem?: Problem }>({});
  const save = async () => {
    setState({ busy: true });
    try {
      const saved = await api.download(`/smartmeterreadings/csv/${encodeURIComponent(ean)}`, isWorthSaving);
      setState({ empty: !saved });
    } catch (problem) {
      setState({ problem: problem as Problem });
    }
  };
  return { ...state, save: () => void save() };
}

/** The measurements of a connection as a file. One without measurements says so instead (7.2-csv-too-small). */
export function CsvDownload({ ean, name }: { ean: string; name: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const csv = useCsv(ean);
  return (
    <>
      <Button
        small
        icon="download"
        loading={csv.busy}
        onClick={csv.save}
        aria-label={intl.formatMessage({ id: 'usage.csv.what', defaultMessage: 'Download CSV {what}' }, { what: name })}
      >
        <FormattedMessage id="usage.csv.download" defaultMessage="Download CSV" />
      </Button>
      {csv.empty && (
        <Wide>
          <Notice live>
            <FormattedMessage
              id="usage.csv.empty"
              defaultMessage="There is no meter data to download yet. Fetch the latest data first."
            />
          </Notice>
        </Wide>
      )}
      {csv.problem && (
        <Wide>
          <Alert>{text(csv.problem)}</Alert>
        </Wide>
      )}
    </>
  );
}

const Wide = styled.div`flex: 1 0 100%;`;
