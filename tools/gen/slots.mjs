// The slots of the portal and of its remotes, out of the sources: who offers each, the props of its views, where it is, and what fills it.
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

/** Returns the slots, those of the portal first, in the order of their declaration. */
export function slots() {
  const all = {};
  const declare = (file, key) =>
    walk(parse(file), (node) => {
      if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'Slots') return;
      for (const member of node.members) {
        const name = keyOf(member.name);
        // a remote that fills the slot of another one repeats its declaration
        if (key && !name.startsWith(`${key}.`)) continue;
        const about = oneLine(
          ts
            .getJSDocCommentsAndTags(member)
            .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
            .join(' '),
        );
        const props = oneLine(member.type.getText()).replace('object', 'none');
        all[name] = { by: key ? `remote ${key}` : 'the portal', about, props, placed: [], filled: [] };
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
          const items = (slot.initializer.elements ?? []).flatMap((item) =>
            (item.properties ?? []).filter((one) => one.name?.getText() === 'id').map((one) => one.initializer.text),
          );
          all[keyOf(slot.name)]?.filled.push(...items.map((id) => `${file.split(path.sep)[1]}.${id}`));
        }
    });
  }
  return all;
}
