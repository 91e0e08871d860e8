// `wattle labels vet` in the built program with its front end. It needs no browser, but only the real build has all texts and slot
// items.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary } from '../../tools/server.mjs';
import { root } from '../../tools/workspace.mjs';
import { expect, rows, test } from './harness';
import { labels, plugins } from './setup';

const wattle = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(binary, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const fine = { status: 0, stdout: '', stderr: '' };

test(rows('9-vet-build', 'the labels of the demo have no errors, including texts and slots'), () => {
  expect(wattle('labels', 'vet', '--demo', '--labels', 'labels')).toEqual(fine);
});

test(
  rows(['9-vet-texts', '9-vet-slots', '9-vet-plugins', '9-offer-slot'], 'errors of a label about the program and its plugins'),
  () => {
    const dir = test.info().outputPath('labels');
    mkdirSync(dir, { recursive: true });
    cpSync(path.join(labels, '1042'), path.join(dir, '1042'), { recursive: true });
    const vet = (...more: string[]) => wattle('labels', 'vet', '--labels', dir, ...more);
    expect(vet('--plugins', plugins)).toEqual(fine);
    const without = vet();
    expect(without.status).toBe(1);
    expect(without.stdout, '9-vet-plugins').toContain('there is no module fixture');

    const file = path.join(dir, '1042/label.cue');
    const good = readFileSync(file, 'utf8');
    const says = (row: string, cue: string, ...want: string[]) => {
      writeFileSync(file, good);
      appendFileSync(file, `\n${cue}\n`);
      const { status, stdout, stderr } = vet('--plugins', plugins);
      expect(stderr).toBe('');
      for (const line of want) expect(stdout).toContain(line);
      expect({ cue, status }, row).toEqual({ cue, status: want.length > 0 ? 1 : 0 });
    };
    says('9-vet-texts', 'messages: nl: "billing.nowhere": "x"', 'there is no message billing.nowhere');
    says('9-vet-texts', 'messages: nl: "fixture.nowhere": "x"', 'there is no message fixture.nowhere');
    says(
      '9-vet-texts',
      'messages: nl: "charts.equal": "evenveel"',
      'the text of charts.equal must have the placeholders {name}, and has (none)',
    );
    says('9-vet-texts', 'messages: nl: "charts.equal": "net zoveel als {name}"');
    says('9-vet-texts', 'messages: en: "fixture.done": "Ready"');
    says(
      '9-vet-slots',
      'slots: dashboard: hide: ["billing.latst"]',
      'the slot has no item billing.latst; there are: ',
      'billing.latest',
      'fixture.tile',
    );
    says('9-vet-slots', 'slots: dashboard: hide: ["fixture.tile"]');
    says('9-offer-slot', 'slots: "fixture.note": hide: ["guest.remark"]');
    says(
      '9-offer-slot',
      'slots: "fixture.not": hide: ["guest.remark"]',
      'slots."fixture.not": there is no such field; there are: ',
      ', fixture.note, ',
    );
    says(
      '9-vet-slots',
      'slots: "fixture.note": hide: ["guest.remrk"]',
      'the slot has no item guest.remrk; there are: guest.remark',
    );
  },
);

test(rows('9-labels-new', 'a new label has no errors'), () => {
  const dir = test.info().outputPath('new');
  mkdirSync(dir, { recursive: true });
  expect(wattle('labels', 'new', 'acme', '--host', 'Mijn.Acme.example', '--labels', dir).status).toBe(0);
  expect(wattle('labels', 'vet', '--labels', dir)).toEqual(fine);
});
