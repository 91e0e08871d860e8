import type { LineProps } from 'recharts';

/** The fraction of a slot that a comparison dash occupies. */
const dash = 0.64;
/** Minimum slot width for dashes. In narrower slots they would look disconnected, so the comparison is one line there. */
export const minDashed = 14;

/**
 * Returns a curve that is level across the slot of each point, `column` pixels wide, with a rise or fall between slots. With
 * `apart`, each point has a separate dash. It follows d3's curve protocol: the outline of an area runs forward along its values and
 * back along zero.
 */
export const stepCurve = (column: number, apart: boolean) =>
  ((context: CanvasPath) => {
    const half = (column / 2) * (apart ? dash : 1);
    let isArea = false;
    let isBack = false;
    let isFirst = true;
    return {
      areaStart() {
        isArea = true;
        isBack = false;
      },
      areaEnd() {
        isArea = false;
        isBack = false;
      },
      lineStart() {
        isFirst = true;
      },
      lineEnd() {
        if (isBack) context.closePath();
        isBack = isArea && !isBack;
      },
      point(x: number, y: number) {
        const [from, to] = isBack ? [x + half, x - half] : [x - half, x + half];
        if (apart || (isFirst && !isBack)) context.moveTo(from, y);
        else context.lineTo(from, y);
        context.lineTo(to, y);
        isFirst = false;
      },
    };
  }) as NonNullable<LineProps['type']>;
