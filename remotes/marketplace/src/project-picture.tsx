import { usePortal } from '@wattle/sdk';
import { Illustration } from '@wattle/ui';
import styled from 'styled-components';
import { isWind } from './texts';

/** The label's picture of a project, or an illustration of its kind. It is decorative, so it has no text. */
export function ProjectPicture({ code, type }: { code: string; type: string }) {
  const picture = usePortal().projects?.[code]?.picture;
  return (
    <Frame aria-hidden="true">
      {picture ? <img src={picture} alt="" loading="lazy" /> : <Illustration name={isWind(type) ? 'mill' : 'sun'} size={144} />}
    </Frame>
  );
}

const Frame = styled.div`
  display: grid; place-items: center; height: 148px; background: var(--w-tint); overflow: clip;
  img { width: 100%; height: 100%; object-fit: cover; }
  @media (max-width: 767px) { height: 120px; }
`;
