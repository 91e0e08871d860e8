// Written by tools/gen/gallery.mjs; absent before the first build.
import type { IconName } from '@wattle/ui';
import type { Documented } from './example';

export const icons: readonly IconName[];
export const kit: Readonly<Record<string, Documented>>;
