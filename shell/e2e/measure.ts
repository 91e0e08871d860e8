import type { Page } from '@playwright/test';

export interface Measured {
  /** Elements that make the page, or a part of it, scroll horizontally (face-reflow). */
  sideways: string[];
  /** Controls smaller than 24 by 24 px, and primary controls lower than 44 px (face-targets). */
  small: string[];
}

/** Measures the current screen at its current width: reflow (WCAG 1.4.10) and target size (2.5.8). */
export function measure(page: Page): Promise<Measured> {
  return page.evaluate(() => {
    const name = (e: Element) => {
      const said = (e.getAttribute('aria-label') ?? e.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
      return `${e.tagName.toLowerCase()}${e.getAttribute('role') ? `[${e.getAttribute('role')}]` : ''} "${said}"`;
    };
    const box = (e: Element) => e.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    // While an overlay is open, only the overlay can be used.
    const above = [...document.querySelectorAll('[data-overlay]')].at(-1);
    const scope = above ?? document.body;

    const sideways: string[] = [];
    if (document.documentElement.scrollWidth > width) {
      const wide = [...document.body.querySelectorAll('*')].filter((e) => box(e).right > width + 0.5 && box(e).width > 0);
      sideways.push(`page of ${document.documentElement.scrollWidth} px: ${wide.slice(-3).map(name).join(', ')}`);
    }
    for (const e of scope.querySelectorAll('*')) {
      if (e.scrollWidth <= e.clientWidth + 1 || e.clientWidth === 0) continue;
      if (!['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) continue;
      // tables and charts may scroll in two dimensions (the exception in 1.4.10), and fields scroll their text
      if (e.matches('input, textarea') || e.querySelector('table, [data-chart]')) continue;
      sideways.push(`${name(e)}: ${e.scrollWidth} in ${e.clientWidth} px`);
    }

    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=switch], [role=slider], [role=spinbutton]';
    const primary = getComputedStyle(document.documentElement).getPropertyValue('--w-primary').trim();
    const asRGB = (color: string) => {
      const probe = document.createElement('i');
      probe.style.color = color;
      document.body.append(probe);
      const out = getComputedStyle(probe).color;
      probe.remove();
      return out;
    };
    const main = asRGB(primary);
    const shown = (e: Element) => {
      const b = box(e);
      // not visible: the skip link while it does not have focus, native inputs behind a custom control
      let clipped = getComputedStyle(e).clipPath !== 'none' || e.closest('[aria-hidden=true], [inert], [hidden]') !== null;
      // the button with which screen readers close a dialog is in a clipped element of one pixel
      for (let at = e.parentElement; at && !clipped; at = at.parentElement)
        clipped = box(at).width <= 1 && getComputedStyle(at).clipPath !== 'none';
      return b.width > 0 && b.height > 0 && !clipped && e.checkVisibility({ visibilityProperty: true });
    };
    /** Returns whether a link is part of a sentence, and therefore only as high as its line: the exception in 2.5.8. */
    const inSentence = (e: Element) => {
      if (getComputedStyle(e).display !== 'inline') return false;
      let around = e.parentElement;
      while (around && getComputedStyle(around).display === 'inline') around = around.parentElement;
      const rest = (around?.textContent ?? '').replace(e.textContent ?? '', '').trim();
      return /\p{L}{2}/u.test(rest);
    };
    /** Returns whether a point at half the minimum size from the center, in each direction, still hits this control. */
    const reached = (e: Element, wide: number, high: number) => {
      e.scrollIntoView({ block: 'center' });
      const b = box(e);
      const [x, y] = [b.left + b.width / 2, b.top + b.height / 2];
      const targets = [e, ...((e as HTMLInputElement).labels ?? [])];
      const own = (hit: Element | null) => hit !== null && targets.some((t) => t.contains(hit));
      const d = [wide / 2 - 0.5, high / 2 - 0.5] as const;
      return [
        [x - d[0], y],
        [x + d[0], y],
        [x, y - d[1]],
        [x, y + d[1]],
      ].every(([px, py]) => own(document.elementFromPoint(px ?? 0, py ?? 0)));
    };

    const small: string[] = [];
    for (const e of scope.querySelectorAll(controls)) {
      if (!shown(e)) continue;
      const b = box(e);
      const high = getComputedStyle(e).backgroundColor === main && e.matches('a, button') ? 44 : 24;
      if (b.width >= 23.9 && b.height >= high - 0.1) continue;
      if (high === 24 && inSentence(e)) continue;
      // a pointer uses the chart as a whole, which finds the nearest period; a single period only gets keyboard focus
      if (e.matches('[data-chart] [data-point]')) continue;
      if (reached(e, b.width >= 23.9 ? 2 : 24, b.height >= high - 0.1 ? 2 : high)) continue;
      small.push(`${name(e)}: ${b.width.toFixed(1)} by ${b.height.toFixed(1)} px instead of ${high}`);
    }
    scrollTo(0, 0);
    return { sideways, small };
  });
}
