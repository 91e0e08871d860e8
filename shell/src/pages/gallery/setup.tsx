import { GlobalStyle, LinkProvider, TextLink } from '@wattle/ui';
import type { Example, Group } from './example';

export function GlobalStyleExample({ say }: Example) {
  return (
    <>
      <GlobalStyle />
      <p>
        {say('Deze zin heeft het lettertype en de kleur van het label.', 'This sentence has the font and color of the label.')}
      </p>
    </>
  );
}

export function LinkProviderExample({ say }: Example) {
  return (
    <LinkProvider value={({ href, ...props }) => <a href={`#${href}`} {...props} />}>
      <TextLink href="/dashboard">
        {say('Een link die niet weggaat van deze pagina', 'A link that does not leave this page')}
      </TextLink>
    </LinkProvider>
  );
}

export const setup: Group = {
  id: 'setup',
  title: ['Eén keer, door de schil', 'Once, by the shell'],
  entries: {
    GlobalStyle: {
      use: [
        'Alleen in een eigen voorbeeldpagina of test; in het portaal doet de schil dit.',
        'Only in a preview or test of your own; in the portal the shell does this.',
      ],
      view: GlobalStyleExample,
    },
    LinkProvider: {
      use: [
        'Alleen in een eigen voorbeeldpagina of test: tekent de links van de kit.',
        'Only in a preview or test of your own: draws the links of the kit.',
      ],
      view: LinkProviderExample,
    },
  },
};
