import styled from 'styled-components';
import { Card } from './card';
import { Icon, type IconName } from './icon';
import { icons } from './icons';
import { first } from './icons-first';
import { Illustration } from './illustration';
import { NextDebit } from './kit-parts';
import { useSay } from './kit-say';
import { Grid, Row, Stack } from './layout';
import { Big, CivilDate, Energy, Money } from './numbers';
import type { IllustrationName } from './pictures';

export function Colors() {
  const roles =
    'header primary primary-hover primary-pressed primary-ink accent accent-2 page surface tint tint-strong text text-quiet line control-line positive positive-tint warning warning-tint negative negative-tint row-odd row-even chart-1 chart-2 chart-3 chart-4 chart-5 chart-6'.split(
      ' ',
    );
  return (
    <Grid columns={4} min={140} gap={12}>
      {roles.map((role) => (
        <Swatch key={role}>
          <i style={{ background: `var(--w-${role})` }} />
          {role}
        </Swatch>
      ))}
    </Grid>
  );
}

export function Letters() {
  const say = useSay();
  return (
    <Card>
      <Stack gap={12}>
        <Big caption={<NextDebit />}>
          <Money cents={12_350} />
        </Big>
        <span style={{ fontSize: 28, fontWeight: 600, lineHeight: 1.2 }}>
          {say('Goedemorgen, mevrouw De Wit', 'Good morning, Ms De Wit')}
        </span>
        <span style={{ fontSize: 20, fontWeight: 600 }}>{say('Jouw laatste facturen', 'Your latest invoices')}</span>
        <p>
          {say(
            'We verwerken dit meestal binnen 2 werkdagen. Je krijgt een e-mail zodra het klaar is.',
            'We usually process this within 2 working days. You will get an email when it is done.',
          )}
        </p>
        <small style={{ fontSize: 14, color: 'var(--w-text-quiet)' }}>
          {say('Bijgewerkt', 'Updated')} <CivilDate day="2026-11-20" />, 09:15
        </small>
        <Row gap={24}>
          <Money cents={123_450} />
          <Money cents={-1250} credit />
          <Energy value={1234} unit="kWh" />
          <Energy value={56} unit="m³" />
          <Energy value={1.8} unit="MW" />
        </Row>
      </Stack>
    </Card>
  );
}

export function Pictures() {
  const drawings: IllustrationName[] = ['empty', 'error', 'sent', 'mill', 'sun', 'house'];
  const all = [...Object.keys(first), ...Object.keys(icons)].sort() as IconName[];
  return (
    <Stack gap={24}>
      <Grid columns={3} min={180}>
        {drawings.map((name) => (
          <Card key={name} style={{ alignItems: 'center', color: 'var(--w-text-quiet)' }}>
            <Illustration name={name} />
          </Card>
        ))}
      </Grid>
      <Grid columns={4} min={120} gap={8}>
        {all.map((name) => (
          <Row key={name} gap={8} wrap={false}>
            <Icon name={name} size={24} />
            <small style={{ fontSize: 14 }}>{name}</small>
          </Row>
        ))}
      </Grid>
    </Stack>
  );
}

const Swatch = styled.div`
  display: flex; align-items: center; gap: 8px; font-size: 14px;
  i { width: 40px; height: 40px; flex: none; border-radius: var(--w-radius-control); box-shadow: inset 0 0 0 1px var(--w-line); }
`;
