import { createIntl } from 'react-intl';
import { describe, expect, it, vi } from 'vitest';
import { trees } from './texts';

const drawn = async (text: unknown, values?: Record<string, string | number>) => {
  const texts = await trees({ id: text });
  const intl = createIntl({ locale: 'nl', messages: texts as Record<string, string>, onError: () => undefined });
  return intl.formatMessage({ id: 'id', defaultMessage: 'below' }, values);
};

describe('texts that are strings', () => {
  it('become syntax trees, so that drawing needs no parser', async () => {
    expect(await trees({ a: "Foto's", b: 'Dag {name}' })).toEqual({
      a: [{ type: 0, value: "Foto's" }],
      b: [
        { type: 0, value: 'Dag ' },
        { type: 1, value: 'name' },
      ],
    });
  });

  it('draw the same text as before', async () => {
    expect(await drawn("Foto's")).toBe("Foto's");
    expect(await drawn("Foto''s")).toBe("Foto's");
    expect(await drawn("'{'{count, plural, one {# dag} other {# dagen}}'}'", { count: 2 })).toBe('{2 dagen}');
    expect(await drawn([{ type: 0, value: 'boom' }])).toBe('boom');
  });

  it('do not hide the overridden text when they are empty or invalid', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(await drawn('')).toBe('below');
    expect(await drawn('Dag {name')).toBe('below');
    expect(warned).toHaveBeenCalledOnce();
  });
});
