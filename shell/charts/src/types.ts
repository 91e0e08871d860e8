import type { ReactNode } from 'react';

/**
 * The kind of a series decides color, pattern and position. `normal`, `low`, `gas` and `other` are stacked above zero,
 * `feed-in` and `feed-in-low` below it (give their values as positive amounts), `compare` is a dashed line, with `look: 'bar'` an
 * outlined bar next to the others, or with `look: 'steps'` a pale dash at its height in each period.
 */
export type SeriesKind = 'normal' | 'low' | 'feed-in' | 'feed-in-low' | 'gas' | 'other' | 'compare';

/** One set of values of a chart. */
export interface ChartSeries {
  /** The key of its values in each point. */
  key: string;
  /** Translated name in legend, card and table. */
  label: string;
  /** Decides color, pattern and position: `normal`, `low`, `gas` and `other` are stacked above zero, `feed-in` and `feed-in-low` below it, `compare` is a dashed line. */
  kind: SeriesKind;
  /** `bar` (default, but for `compare`) for amounts per period, `line` for power, `steps` for a filled line that is level in each period. */
  look?: 'bar' | 'line' | 'steps' | undefined;
}

/** One period of a chart, with a value of each series. */
export interface ChartPoint {
  /** Unique id of the point, also where two have the same label: its start with UTC offset, or the day. */
  start: string;
  /** Short label under the chart: `16`, `nov`, `02:00`. Two points may have the same: the repeated hour of a clock change. */
  label: string;
  /** Full name in card and table: `maandag 16 november 2026`, `02:00 wintertijd`. By default the label. */
  name?: string | undefined;
  /** Values by key of the series. null or absent: not measured. */
  values: Readonly<Record<string, number | null | undefined>>;
  /** Nothing was measured: drawn as a hatched gap. The same when no series has a value. */
  missing?: boolean | undefined;
  /** In the future: left blank, not a gap. */
  upcoming?: boolean | undefined;
  /** The period is still running, and its values are those so far: drawn dashed, and named so wherever its name is shown. */
  unfinished?: boolean | undefined;
  /** The values were not measured, or not all of them: bars are drawn hatched, and the period is named so wherever its name is shown. */
  estimated?: boolean | undefined;
  /** What the whole period is expected to come to, with the band that it is expected within. */
  expected?: ChartExpectation | undefined;
}

/** A forecast of one period, in the unit of the chart. */
export interface ChartExpectation {
  /** The expected total of the period. */
  value: number;
  /** Lower end of the band; without it no band is drawn. */
  low?: number | undefined;
  /** Upper end of the band. */
  high?: number | undefined;
}

/** A horizontal line at an amount that is aimed at or agreed on, with its name. */
export interface ChartTarget {
  /** The amount, in the unit of the chart. */
  value: number;
  /** Its name, on the line and in the legend. */
  label: string;
}

/** The highest value: a dot with a text. */
export interface ChartRecord {
  /** `start` of its point. */
  at: string;
  /** The text at the dot. */
  text: ReactNode;
}

/** Format of values: kWh and m³ without decimals (9-number-format), other units by size, two decimals below 10 and none from 100. */
export interface ValueFormat {
  /** Shown once at the top left of the chart, and after each value: `kWh`, `m³`. */
  unit: string;
  /** For small values: `hours` chooses the decimals by size, `participation` (production per participation) has two. */
  detail?: 'hours' | 'participation' | undefined;
  /** Formats a value in place of `unit` and `detail`. */
  format?: ((value: number) => string) | undefined;
}
