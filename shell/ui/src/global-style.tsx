import { createGlobalStyle } from 'styled-components';

/** This import makes the build emit the file; the server preloads it in index.html. */
const openSans = new URL('./fonts/open-sans-latin.woff2', import.meta.url).href;
/** For names such as Barış Şahin: browsers fetch this font only when the page contains one of these letters (face-font-letters). */
const openSansExtended = new URL('./fonts/open-sans-latin-ext.woff2', import.meta.url).href;

/** Unicode ranges of the two subsets, from Fontsource's unicode.json. */
const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const latinExtended =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';

/** Reset, font, selection, focus ring, reduced motion (face-reduced-motion) and print styles. Render it once, in the shell. */
export const GlobalStyle = createGlobalStyle`
  @font-face { font-family: 'Open Sans'; font-weight: 300 800; font-display: swap; src: url(${openSansExtended}) format('woff2'); unicode-range: ${latinExtended}; }
  @font-face { font-family: 'Open Sans'; font-weight: 300 800; font-display: swap; src: url(${openSans}) format('woff2'); unicode-range: ${latin}; }
  @font-face {
    font-family: 'Open Sans Fallback'; src: local('Arial'), local('Liberation Sans');
    size-adjust: 104.2%; ascent-override: 102.59%; descent-override: 28.12%; line-gap-override: 0%;
  }
  *, *::before, *::after { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; scroll-padding: 96px 0 32px; }
  body {
    margin: 0; padding-inline: env(safe-area-inset-left) env(safe-area-inset-right); background: var(--w-page); color: var(--w-text);
    font: 400 16px/1.5 var(--w-font), var(--w-font-fallback, Arial), sans-serif;
    -webkit-font-smoothing: antialiased; overflow-wrap: break-word;
  }
  h1, h2, h3, h4, p, dl, dd, ul, ol, figure, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
  h1, h2 { font-family: var(--w-font-heading); } nav h2 { font-family: inherit; } h2 small { font-family: var(--w-font), var(--w-font-fallback, Arial), sans-serif; }
  h1, h2, h3, h4 { font-size: inherit; font-weight: 600; line-height: 1.2; text-wrap: balance; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; margin: 0; }
  button { background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; -webkit-tap-highlight-color: transparent; }
  img, svg { display: block; max-width: 100%; }
  /* each link is a target of at least 24 px, without changing the line height (face-targets) */
  a { color: var(--w-primary-ink); text-underline-offset: .2em; text-decoration-thickness: 1px; padding-block: .28em; }
  table { border-collapse: collapse; }
  [hidden] { display: none !important; }
  ::selection { background: var(--w-tint-strong); color: var(--w-text); }
  :focus-visible:focus-visible { outline: 3px solid var(--w-focus); outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
  h1:focus:focus, [data-title]:focus:focus, main:focus:focus { outline: none; box-shadow: none; }
  @media (prefers-reduced-motion: reduce) {
    *, *::before, *::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition-duration: 1ms !important; scroll-behavior: auto !important; }
  }
  @media (forced-colors: active) {
    a[aria-current]:not([aria-current='false']), button[aria-current]:not([aria-current='false']), [aria-pressed='true'], [aria-selected='true'] {
      forced-color-adjust: none; background: Highlight !important; color: HighlightText !important; svg { color: inherit; }
    }
    [role='dialog'], [role='alertdialog'] { border: 1px solid; }
  }
  /* face-print: prints no frame and no controls, and an open overlay without the page below it. */
  @media print {
    @page { margin: 16mm 14mm; }
    html, body { background: #fff; }
    header, footer, nav, form[role='search'], [data-screen], a[href='#content'], section[aria-live] { display: none !important; }
    main, main > div { display: block !important; padding: 0 !important; max-width: none !important; }
    body:has([data-overlay]:not([data-from='bottom'])) #root { display: none; }
    tr, h1, h2, h3, dt, figure { break-inside: avoid; } h1, h2, h3, dt, thead { break-after: avoid; }
    a { color: inherit; }
  }
`;
