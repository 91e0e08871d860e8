import { css, keyframes } from 'styled-components';

const appear = keyframes`to { visibility: visible; }`;

/** Hides what a part that is loading may push down, so that it is first seen in its place, but for at most five seconds (9-pages-still). */
export const hiddenWhileWaiting = css`visibility: hidden; animation: ${appear} 0s 5s forwards;`;
