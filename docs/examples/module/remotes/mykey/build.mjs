import { build } from '@wattle/sdk/build';

await build({ dir: import.meta.dirname });
