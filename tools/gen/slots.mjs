// The slots of the portal and its remotes, from the sources: who offers each, the props of its views, where it is, and what fills
// it.
import { globSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
const parse = (file) => ts.createSourceFile(file, ts.sys.readFile(path.join(root, file)), ts.ScriptTarget.Latest, true);
const keyOf = (name) => (ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText());

function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Returns the slots in the order of their declaration, with the portal's first. */
export function slots() {
  const all = {};
  const declare = (file, key) =>
    walk(parse(file), (node) => {
      if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'Slots') return;
      for (const member of node.members) {
        const name = keyOf(member.name);
        // a remote that fills another remote's slot repeats its declaration
        if (key && !name.startsWith(`${key}.`)) continue;
        const description = oneLine(
          ts
            .getJSDocCommentsAndTags(member)
            .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
            .join(' '),
        );
        const props = oneLine(member.type.getText()).replace('object', 'none');
        all[name] = { by: key ? `remote ${key}` : 'the portal', description, props, placed: [], filled: [] };
      }
    });
  declare('shell/sdk/src/remote.ts');
  for (const file of globSync('remotes/*/src/slots.ts', { cwd: root }).sort()) declare(file, file.split(path.sep)[1]);

  const sources = globSync(['shell/src/**/*.{ts,tsx}', 'remotes/*/src/**/*.{ts,tsx}'], { cwd: root });
  for (const file of sources.sort()) {
    if (/\.(test|gen)\./.test(file)) continue;
    const source = parse(file);
    const place = (name) => {
      if (all[name] && !all[name].placed.includes(file)) all[name].placed.push(file);
    };
    walk(source, (node) => {
      if (ts.isCallExpression(node) && /^(useSlot|slotItems)$/.test(node.expression.getText())) place(node.arguments[0]?.text);
      if (ts.isJsxOpeningLikeElement(node) && /^(Slot|PlainSlot)$/.test(node.tagName.getText()))
        for (const attribute of node.attributes.properties)
          if (attribute.name?.getText() === 'name') place(attribute.initializer?.text);
      if (/remotes.\w+.src.remote\.tsx?$/.test(file) && ts.isPropertyAssignment(node) && node.name.getText() === 'slots')
        for (const slot of node.initializer.properties ?? []) {
          for (const item of slot.initializer.elements ?? []) {
            const value = (name) => {
              const { initializer } = (item.properties ?? []).find((one) => one.name?.getText() === name) ?? {};
              return initializer && (ts.isLiteralExpression(initializer) ? initializer.text : initializer.getText());
            };
            if (!value('id')) continue;
            all[keyOf(slot.name)]?.filled.push({
              name: `${file.split(path.sep)[1]}.${value('id')}`,
              order: Number(value('order')),
              size: value('size'),
              rows: value('rows'),
              phoneRows: value('phoneRows'),
            });
          }
        }
    });
  }
  for (const slot of Object.values(all)) slot.filled.sort((a, b) => a.order - b.order || (idOf(a) < idOf(b) ? -1 : 1));
  return all;
}

const idOf = (item) => item.name.slice(item.name.indexOf('.') + 1);

/** Returns the layout of a slot's items, from the shell's sources: the columns of a size, the widths, the height of a row. */
export function layout() {
  const tiles = ts.sys.readFile(path.join(root, 'shell/src/pages/tiles.tsx'));
  const spans = Object.fromEntries(
    [.../const spans = \{([^}]*)\}/.exec(tiles)[1].matchAll(/'?([a-z-]+)'?: (\d)/g)].map(([, size, columns]) => [
      size,
      Number(columns),
    ]),
  );
  const [narrow, single] = [...tiles.matchAll(/@container \(max-width: (\d+)px\)/g)].map(([, px]) => Number(px) + 1);
  const [, row] = /\$rows \* (\d+)\}px/.exec(ts.sys.readFile(path.join(root, 'shell/src/slot.tsx')));
  return { spans, narrow, single, row: Number(row) };
}
