import { formatNumber } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export interface ComparisonProps {
  /** The value of the current period. */
  value: number;
  /** The value of the earlier period; if it is null (unknown), nothing is shown. */
  then: number | null | undefined;
  /** Name of the earlier period: `november 2025`. */
  name: string;
}

/** A comparison with an earlier period for the caption of `Big`: `12% minder dan november 2025`. */
export function Comparison({ value, then, name }: ComparisonProps) {
  if (then === null || then === undefined || then <= 0) return null;
  const percent = Math.round((Math.abs(value - then) / then) * 100);
  const values = { percent: `${formatNumber(percent)}%`, name };
  if (percent === 0) return <FormattedMessage id="charts.equal" defaultMessage="as much as {name}" values={values} />;
  return value < then ? (
    <FormattedMessage id="charts.less" defaultMessage="{percent} less than {name}" values={values} />
  ) : (
    <FormattedMessage id="charts.more" defaultMessage="{percent} more than {name}" values={values} />
  );
}
