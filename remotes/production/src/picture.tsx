import { usePortal } from '@wattle/sdk';
import { Illustration } from '@wattle/ui';
import styled from 'styled-components';

/** The label's picture of a project, or an illustration of its kind. */
export function ProjectPicture({ project, type, small = false }: { project: string; type: string | undefined; small?: boolean }) {
  const picture = usePortal().projects?.[project]?.picture;
  return (
    <Frame $small={small} aria-hidden>
      {picture ? (
        <img src={picture} alt="" loading="lazy" decoding="async" />
      ) : (
        <Illustration name={type === 'WIND' ? 'mill' : 'sun'} size={small ? 32 : 120} />
      )}
    </Frame>
  );
}

const Frame = styled.span<{ $small: boolean }>`
  display: grid; place-items: center; overflow: hidden; background: var(--w-tint); border-radius: ${(p) => (p.$small ? 'var(--w-radius-control)' : 'calc(var(--w-radius) * .75)')};
  ${(p) => (p.$small ? 'width: 72px; height: 48px; flex: none;' : 'width: 100%; height: 100%; min-height: 176px; position: relative;')}
  img { width: 100%; height: 100%; object-fit: cover; ${(p) => (p.$small ? '' : 'position: absolute; inset: 0;')} }
`;
