import { Disclosure, type DisclosureProps } from '@wattle/ui';
import { useState } from 'react';

/** A Disclosure that mounts its content, with everything that the content fetches, when it is first opened. */
export function Folded({ defaultOpen = false, children, ...props }: Omit<DisclosureProps, 'open' | 'onToggle'>) {
  const [opened, setOpened] = useState(defaultOpen);
  return (
    <Disclosure {...props} defaultOpen={defaultOpen} onToggle={() => setOpened(true)}>
      {opened && children}
    </Disclosure>
  );
}
