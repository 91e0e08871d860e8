import type { LineProps } from 'recharts';

/** Minimum width of a bar for a dash over it, in pixels. Over narrower bars, such as the days of a month on a phone, dashes are noise. */
export const minDashed = 10;

/**
 * Returns a curve that is level across the slot of each point, `column` pixels wide, with a rise or fall between slots. With `dash`,
 * each point has a separate dash of that width. It follows d3's curve protocol: the outline of an area runs forward along its values
 * and back along zero.
 */
export const stepCurve = (column: number, dash?: number) =>
  ((context: CanvasPath) => {
    const half = (dash ?? column) / 2;
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
        if (dash !== undefined || (isFirst && !isBack)) context.moveTo(from, y);
        else context.lineTo(from, y);
        context.lineTo(to, y);
        isFirst = false;
      },
    };
  }) as NonNullable<LineProps['type']>;
