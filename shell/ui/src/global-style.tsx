import { createGlobalStyle } from 'styled-components';

/** Also what makes the build ship the file; the server names it in index.html, so that it is there before any code is. */
const openSans = new URL('./fonts/open-sans-latin.woff2', import.meta.url).href;

/** Reset, font, selection, the focus ring and stillness for those who ask for it (face-reduced-motion). Once, in the shell. */
export const GlobalStyle = createGlobalStyle`
  @font-face { font-family: 'Open Sans'; font-weight: 300 800; font-display: swap; src: url(${openSans}) format('woff2'); }
  @font-face {
    font-family: 'Open Sans Fallback'; src: local('Arial'), local('Liberation Sans');
    size-adjust: 104.2%; ascent-override: 102.59%; descent-override: 28.12%; line-gap-override: 0%;
  }
  *, *::before, *::after { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; scroll-padding: 96px 0 32px; }
  body {
    margin: 0; background: var(--w-page); color: var(--w-text);
    font: 400 16px/1.5 var(--w-font), var(--w-font-fallback, Arial), sans-serif;
    -webkit-font-smoothing: antialiased; overflow-wrap: break-word;
  }
  h1, h2, h3, h4, p, dl, dd, ul, ol, figure, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
  h1, h2, h3, h4 { font-size: inherit; font-weight: 600; line-height: 1.2; text-wrap: balance; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; margin: 0; }
  button { background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; -webkit-tap-highlight-color: transparent; }
  img, svg { display: block; max-width: 100%; }
  a { color: var(--w-primary-ink); text-underline-offset: .2em; text-decoration-thickness: 1px; }
  table { border-collapse: collapse; }
  [hidden] { display: none !important; }
  ::selection { background: var(--w-tint-strong); color: var(--w-text); }
  :focus-visible:focus-visible { outline: 3px solid var(--w-focus); outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
  h1:focus:focus, [data-title]:focus:focus, main:focus:focus { outline: none; box-shadow: none; }
  @media (prefers-reduced-motion: reduce) {
    *, *::before, *::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition-duration: 1ms !important; scroll-behavior: auto !important; }
  }
`;
