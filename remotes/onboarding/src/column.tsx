import styled from 'styled-components';

/** The column of a page without a title, for a result. */
export const Column = styled.div`
  display: flex; flex-direction: column; gap: 32px; width: 100%; max-width: 784px; padding: 64px 32px;
  @media (max-width: 767px) { padding: 32px 16px 48px; }
`;
