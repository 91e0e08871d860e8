import type { ReactNode } from 'react';

/**
 * The kind of a series determines its color, pattern and position. `normal`, `low`, `gas` and `other` are stacked above zero,
 * `feed-in` and `feed-in-low` below it (with positive values). `compare` is an earlier period, in the same look in every chart: a dash
 * over each bar, or one thin line where bars are narrow and where there are none.
 */
export type SeriesKind = 'normal' | 'low' | 'feed-in' | 'feed-in-low' | 'gas' | 'other' | 'compare';

/** One set of values of a chart. */
export interface ChartSeries {
  /** The key of its values in each point. */
  key: string;
  /** Translated name, shown in legend, card and table. */
  label: string;
  /**
   * Determines color, pattern and position: `normal`, `low`, `gas` and `other` are stacked above zero, `feed-in` and `feed-in-low`
   * below it, `compare` is an earlier period, drawn as dashes over bars or as one thin line.
   */
  kind: SeriesKind;
  /**
   * `bar` for amounts per period (the default), `line` for power, `steps` for a filled line that is level within each period. Ignored
   * for `compare`, which follows the other series of the chart.
   */
  type?: 'bar' | 'line' | 'steps' | undefined;
}

/** One period of a chart, with a value of each series. */
export interface ChartPoint {
  /** Unique id of the point, even if labels are equal: its start with UTC offset, or the day. */
  start: string;
  /**
   * Short label under the chart: `16`, `nov`, `02:00`. Two points may have the same label, such as the repeated hour of a clock
   * change.
   */
  label: string;
  /** Full name in card and table: `maandag 16 november 2026`, `02:00 wintertijd`. By default `label`. */
  name?: string | undefined;
  /** Values by series key; null or absent if not measured. */
  values: Readonly<Record<string, number | null | undefined>>;
  /** Nothing was measured: drawn as a hatched gap, as is a point without a value in any series. */
  missing?: boolean | undefined;
  /** The period is in the future: left blank, not a gap. */
  upcoming?: boolean | undefined;
  /** The period is unfinished, and its values are those up to now: drawn dashed, and marked as such wherever its name is shown. */
  unfinished?: boolean | undefined;
  /**
   * Some or all values are estimates: the period is marked as such wherever its name is shown, and its bars are hatched, with a number
   * only that fraction of them (at their far end).
   */
  estimated?: boolean | number | undefined;
  /** The forecast for the whole period, optionally with a band. */
  expected?: ChartExpectation | undefined;
}

/** A forecast for one period, in the unit of the chart. */
export interface ChartExpectation {
  /** The expected total of the period. */
  value: number;
  /** Lower end of the band; by default no band is drawn. */
  low?: number | undefined;
  /** Upper end of the band. */
  high?: number | undefined;
}

/** A horizontal line at a target or agreed amount, with its name. */
export interface ChartTarget {
  /** The amount, in the unit of the chart. */
  value: number;
  /** Its name, shown on the line and in the legend. */
  label: string;
}

/** Marks the highest value with a dot and a text. */
export interface ChartRecord {
  /** The `start` of the point. */
  at: string;
  /** The text at the dot. */
  text: ReactNode;
}

/**
 * Formats values: kWh and m³ without decimals (9-number-format), other units by magnitude, with two decimals below 10 and none from
 * 100.
 */
export interface ValueFormat {
  /** Shown once at the top left of the chart, and after each value: `kWh`, `m³`. */
  unit: string;
  /** For small values: `hours` chooses the decimals by magnitude, `participation` (production per participation) has two. */
  detail?: 'hours' | 'participation' | undefined;
  /** Formats a value instead of `unit` and `detail`. */
  format?: ((value: number) => string) | undefined;
}
