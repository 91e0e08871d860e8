import { createContext, type ReactNode, type Ref, useContext, useEffect, useId, useRef } from 'react';
import styled from 'styled-components';
import { Icon } from './icon';
import { Anchor } from './link';
import { PicturesContext } from './pictures';
import { radius } from './tokens';

const widths = { form: '560px', text: '720px', wide: '1080px' };

export interface PageProps {
  /** Width of the content: `form` 560, `text` 720, `wide` 1080 px. */
  width?: keyof typeof widths | undefined;
  /** The page's h1, which gets focus after navigation. */
  title: ReactNode;
  /** A short sentence under the title. */
  sentence?: ReactNode;
  /** Buttons or links to the right of the title; below it on a phone. */
  actions?: ReactNode;
  /** Link above the title, to the parent page. */
  back?: { href: string; text: string } | undefined;
  /** The content of the page. */
  children?: ReactNode;
}

/**
 * The content column of a page, with margins of 16, 24 and 32 px. The column is the same on every page, so that all have the same
 * left edge; `width` limits the content. The shell renders the frame and `<main>`.
 */
export function PageColumn({ width = 'text', children }: Pick<PageProps, 'width' | 'children'>) {
  return (
    <Column $width={widths[width]} data-width={width}>
      {children}
    </Column>
  );
}

/** What the shell shows between a page's title and its content, such as notices. */
export const BelowTitle = createContext<ReactNode>(null);

/** A page with its title and the label's pictures for it. */
export function Page({ width = 'text', title, sentence, actions, back, children }: PageProps) {
  const { photo, drawing } = useContext(PicturesContext);
  const belowTitle = useContext(BelowTitle);
  return (
    <PageColumn width={width}>
      {photo && (
        <Photo data-screen>
          <source media={fromTablet} srcSet={photo} />
          <img alt="" />
        </Photo>
      )}
      <Top $drawn={drawing !== undefined}>
        <div>
          {back && (
            <Back href={back.href}>
              <Icon name="left" size={16} /> {back.text}
            </Back>
          )}
          <PageTitle>{title}</PageTitle>
          {sentence && <Sentence>{sentence}</Sentence>}
        </div>
        {actions && <Actions>{actions}</Actions>}
        {drawing && <Drawing src={drawing} alt="" data-screen $photo={photo !== undefined} />}
      </Top>
      <Body>
        {belowTitle}
        {children}
      </Body>
    </PageColumn>
  );
}

export interface PageTitleProps {
  /** The title. */
  children: ReactNode;
  /** Focuses the title when it appears, e.g. when one view replaces another on the same page. */
  focus?: boolean | undefined;
  /** The `<h1>` element. */
  ref?: Ref<HTMLHeadingElement> | undefined;
}

/** The h1 of a screen, which gets focus after navigation (face-focus). */
export function PageTitle({ children, focus, ref }: PageTitleProps) {
  const own = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) own.current?.focus();
  }, [focus]);
  return (
    <Title
      data-title
      tabIndex={-1}
      ref={(element) => {
        own.current = element;
        if (typeof ref === 'function') return ref(element);
        if (ref) ref.current = element;
      }}
    >
      {children}
    </Title>
  );
}

/** Focuses the heading of the current page; returns false if there is none (yet). */
export function focusTitle(root: ParentNode = document): boolean {
  const title = root.querySelector<HTMLElement>('h1[data-title]');
  title?.focus();
  return Boolean(title);
}

export interface SectionProps {
  /** Heading, which also names the section for screen readers. */
  title?: ReactNode;
  /** Heading level in the page outline. */
  level?: 2 | 3 | undefined;
  /** A short sentence under the heading. */
  sentence?: ReactNode;
  /** Buttons or links to the right of the heading; below it on a phone. */
  actions?: ReactNode;
  /** The content. */
  children?: ReactNode;
  /** Id of the element, for links to the section. */
  id?: string | undefined;
}

/** A section of a page, with a title and without a box. */
export function Section({ title, level = 2, sentence, actions, children, id }: SectionProps) {
  const heading = useId();
  return (
    <Part id={id} aria-labelledby={title ? heading : undefined}>
      {(title || actions) && (
        <Head>
          <div>
            {title && (
              <PartTitle as={`h${level}`} id={heading} $level={level}>
                {title}
              </PartTitle>
            )}
            {sentence && <Sentence>{sentence}</Sentence>}
          </div>
          {actions && <Actions>{actions}</Actions>}
        </Head>
      )}
      {children}
    </Part>
  );
}

/** Frames may set the margins: `--w-page-x` and `--w-page-top`. */
const Column = styled.div<{ $width: string }>`
  width: 100%; max-width: calc(${widths.wide} + 64px); padding: var(--w-page-top, 32px) var(--w-page-x, 32px) 64px;
  > * { max-width: ${(p) => p.$width}; }
  @media (max-width: 1099px) { padding-inline: var(--w-page-x, 24px); max-width: none; }
  @media (max-width: 767px) { padding: 24px 16px 48px; > * { max-width: none; } }
`;
const Top = styled.div<{ $drawn: boolean }>`
  display: flex; gap: 16px 24px; align-items: flex-end; justify-content: space-between; margin-bottom: 24px;
  flex-wrap: ${(p) => (p.$drawn ? 'nowrap' : 'wrap')};
`;
/** On a phone the content matters more: the photo is not shown and, because it has no source, not fetched. */
const fromTablet = '(min-width: 768px)';
const Photo = styled.picture`
  display: none; margin-bottom: 24px;
  @media ${fromTablet} { display: block; }
  img { width: 100%; height: 160px; object-fit: cover; border-radius: ${radius.card}; background: var(--w-tint); }
`;
/**
 * Rests on the content below the title. A photo above the title suffices, and a small phone has no room for a picture next to the
 * title.
 */
const Drawing = styled.img<{ $photo: boolean }>`
  flex: none; width: 240px; height: 112px; margin: -24px ${radius.card} -24px 0; object-fit: contain; object-position: right bottom;
  @media ${fromTablet} { ${(p) => (p.$photo ? 'display: none;' : '')} }
  @media (max-width: 767px) { width: 96px; height: 72px; margin: -24px 8px -24px -16px; }
  @media (max-width: 374px) { display: none; }
`;
const Body = styled.div`display: flex; flex-direction: column; gap: 24px; & > * { min-width: 0; }`;
const Actions = styled.div`display: flex; gap: 8px; flex-wrap: wrap; align-items: center;`;
const Title = styled.h1`font-size: 28px;`;
const Sentence = styled.p`color: var(--w-text-quiet); margin-top: 8px; max-width: 65ch;`;
const Back = styled(Anchor)`
  display: inline-flex; align-items: center; gap: 4px; min-height: 32px; margin: 0 0 4px -4px; padding-right: 4px; border-radius: 4px;
  font-size: 14px; text-decoration: none;
  &:hover { text-decoration: underline; }
`;
const Part = styled.section`display: flex; flex-direction: column; gap: 16px; & > * { min-width: 0; }`;
const Head = styled.div`display: flex; gap: 12px 24px; align-items: flex-end; justify-content: space-between; flex-wrap: wrap;`;
const PartTitle = styled.h2<{ $level: number }>`font-size: ${(p) => (p.$level === 2 ? '20px' : '16px')};`;
