import { Skeleton } from '@wattle/ui';
import styled from 'styled-components';

/** The shape of what comes: the number, and below the controls the charts. */
export function Waiting({ charts = 1 }: { charts?: number }) {
  return (
    <>
      <Lifted>
        <Skeleton shape="number" />
        <Skeleton />
      </Lifted>
      {Array.from({ length: charts }, (_, chart) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are alike
        <Chart key={chart}>
          <Skeleton shape="title" />
          <Skeleton shape="chart" />
        </Chart>
      ))}
    </>
  );
}

/** The whole block of an agreement, before its name is known. */
export const WaitingBlock = () => (
  <Frame>
    <Lifted>
      <Skeleton shape="title" />
    </Lifted>
    <Waiting />
  </Frame>
);

/** The number that customers come for is above the controls, which stay when it changes. */
export const Lifted = styled.div`order: -1; display: flex; flex-direction: column; gap: 12px; max-width: 320px;`;
/** With legend, note and rows it is as high as this. */
const Chart = styled.div`display: flex; flex-direction: column; gap: 48px; min-height: 500px;`;
const Frame = styled.div`
  display: flex; flex-direction: column; gap: 24px; padding: var(--w-pad); border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface);
`;
