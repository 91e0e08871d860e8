import type { ReactNode } from 'react';

/**
 * What a series is; it decides colour, pattern and place. `normal`, `low`, `gas` and `other` stand on each other above zero,
 * `feed-in` and `feed-in-low` below it (their values are given as positive amounts), `compare` is a dashed line.
 */
export type SeriesKind = 'normal' | 'low' | 'feed-in' | 'feed-in-low' | 'gas' | 'other' | 'compare';

export interface ChartSeries {
  /** The key of its values in each point. */
  key: string;
  /** Its name in legend, card and table, translated. */
  label: string;
  kind: SeriesKind;
  /** Amounts per period are bars (default); power and production are lines. */
  look?: 'bar' | 'line' | undefined;
}

export interface ChartPoint {
  /** What tells it from all others, also where two have the same label: the start with its offset, or the day. */
  start: string;
  /** Short, under the chart: `16`, `nov`, `02:00`. Two points may have the same: the repeated hour. */
  label: string;
  /** In full, in the card and the table: `maandag 16 november 2026`, `02:00 wintertijd`. Default the label. */
  name?: string | undefined;
  /** By the key of the series. null or absent: not measured. */
  values: Readonly<Record<string, number | null | undefined>>;
  /** Nothing was measured: a hatched gap. Also when no series has a value. */
  missing?: boolean | undefined;
  /** Has yet to come: left blank, no gap. */
  upcoming?: boolean | undefined;
}

/** The highest of the series: a dot with its text beside it. */
export interface ChartRecord {
  /** `start` of its point. */
  at: string;
  text: ReactNode;
}

/** How values are written: kWh and m³ whole (9-number-format), any other unit by size, two decimals below 10 and none from 100. */
export interface Writing {
  /** Once at the top left of the chart, and after each value: `kWh`, `m³`. */
  unit: string;
  /** Values that would say too little as whole numbers: those of hours are written by size, production per participation with two. */
  detail?: 'hours' | 'participation' | undefined;
  format?: ((value: number) => string) | undefined;
}
