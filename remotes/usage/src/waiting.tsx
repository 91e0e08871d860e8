import { Skeleton } from '@wattle/ui';
import styled, { css } from 'styled-components';

/** A placeholder in the shape of the content: the number, and below the controls the charts. */
export function Waiting({ charts = 1 }: { charts?: number }) {
  return (
    <>
      <Lifted $of={charts > 1 ? 'sum' : 'cost'}>
        <Skeleton shape="number" />
        <Skeleton count={charts > 1 ? 3 : 1} />
      </Lifted>
      {Array.from({ length: charts }, (_, chart) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are alike
        <WaitingChart key={chart} />
      ))}
    </>
  );
}

/** A placeholder in the shape of a chart with its legend, note and rows. */
export const WaitingChart = () => (
  <Chart>
    <Skeleton shape="title" />
    <Skeleton shape="chart" />
  </Chart>
);

/** A placeholder for an agreement's whole block, before its name is known. */
export const WaitingBlock = () => (
  <Frame>
    <Head>
      <Skeleton shape="title" />
    </Head>
    <Waiting charts={2} />
  </Frame>
);

/** Heights of the number and the texts about it, so that the controls below do not move when it has loaded (9-pages-still). */
export const lifted = {
  sum: css`min-height: 121px; @media (max-width: 767px) { min-height: 266px; }`,
  cost: css`min-height: 166px; @media (max-width: 767px) { min-height: 180px; }`,
  usage: css`min-height: 124px;`,
} as const;
/** The number that customers come for is above the controls, which do not move when it changes. */
export const Lifted = styled.div<{ $of: keyof typeof lifted }>`
  order: -1; display: flex; flex-direction: column; gap: 12px; max-width: 320px; ${(p) => lifted[p.$of]}
`;
const Head = styled.div`order: -2; max-width: 320px;`;
/** As high as a chart with legend, note and rows. */
const Chart = styled.div`display: flex; flex-direction: column; gap: 48px; min-height: 500px;`;
const Frame = styled.div`
  display: flex; flex-direction: column; gap: 24px; padding: var(--w-pad); border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface);
`;
