import { periodOf } from '@wattle/charts';
import { Accordion, formatEnergy } from '@wattle/ui';
import { useIntl } from 'react-intl';
import { api } from './api';
import { energyUnit } from './connection.rules';
import { Edges, Folded } from './folded';
import { amountOf, finest } from './series.rules';
import { clamp, Marked, shownName, UsagePanel, type UsagePanelProps } from './usage-panel';

/** Three or more connections: the chart of the first, and the amounts of the others, whose charts are closed at first (9-usage-many). */
export function ManyPanels({ panels }: { panels: readonly UsagePanelProps[] }) {
  return (
    <Edges>
      <Accordion>
        {panels.map((panel, place) => (
          <One key={panel.connection.ean_code} panel={panel} open={place === 0} />
        ))}
      </Accordion>
    </Edges>
  );
}

function One({ panel, open }: { panel: UsagePanelProps; open: boolean }) {
  const intl = useIntl();
  const { connection, shown, months, min, max } = panel;
  const { span, unit, view } = shown;
  const path = { ean: connection.ean_code };
  const query = { unit: finest(span, unit, months), ...periodOf(span, clamp(shown.day, min, max), min, max) };
  const { data } = api.useGet('/usage/{ean}/series', { path, query });
  const total = data ? amountOf(data.total, view) : null;
  return (
    <Folded
      level={3}
      defaultOpen={open}
      title={<Marked name={shownName(intl, connection.commodity, view)} mark={panel.mark} />}
      summary={total === null ? '–' : formatEnergy(total, energyUnit(connection.commodity))}
    >
      <UsagePanel {...panel} folded />
    </Folded>
  );
}
