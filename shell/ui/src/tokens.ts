/** The sizes in docs/design-of-screens.md. Colors, fonts, corners and density belong to the label: CSS variables `--w-*`. */
export const space = { 4: '4px', 8: '8px', 12: '12px', 16: '16px', 24: '24px', 32: '32px', 48: '48px', 64: '64px' } as const;
/** A space between elements, in pixels. */
export type Space = keyof typeof space;

/** The label's corner radii: cards, controls and rows in them, buttons. `round` is a circle or a chip in every label. */
export const radius = {
  card: 'var(--w-radius)',
  control: 'var(--w-radius-control)',
  button: 'var(--w-radius-button)',
  round: '999px',
} as const;
/** The label's spacing: card padding, space between cards, height of table rows. */
export const density = { pad: 'var(--w-pad)', gap: 'var(--w-gap)', row: 'var(--w-row)' } as const;

/** Font sizes; `huge` is 32 px on mobile. */
export const type = { small: '14px', text: '16px', lead: '20px', title: '28px', huge: '40px', hugeMobile: '32px' } as const;
export const weight = { text: 400, strong: 600 } as const;
export const leading = { text: 1.5, title: 1.2 } as const;

/** Control heights: fields and buttons 48 px, controls in rows and page navigation 44 px. */
export const height = { field: '48px', small: '44px', header: '64px', footer: '80px' } as const;
export const column = { form: '560px', text: '720px', wide: '1080px', sheet: '520px' } as const;

/** Media query of the phone layout. */
export const mobile = '@media (max-width: 767px)';
export const railFrom = '@media (min-width: 1100px)';

/** The only shadow, for floating elements. */
export const shadow = '0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent)';
export const motion = '160ms cubic-bezier(.2,.7,.3,1)';
export const layer = { header: 10, overlay: 100, popover: 200, toast: 300 } as const;
