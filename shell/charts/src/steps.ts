import type { LineProps } from 'recharts';

/** The part of a place that a dash of comparison takes. */
const dash = 0.64;
/** Places narrower than this have no dashes, which would float loose: their comparison is one line. */
export const minDashed = 14;

/**
 * Returns a curve that is level through the whole place of each point, `column` pixels wide, with a rise or fall between them. With
 * `apart`, each point has a dash of its own. It follows the protocol of curves of d3: an area is drawn forth along its values and back
 * along zero.
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
