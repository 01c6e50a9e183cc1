/** Other libraries that convert XML to JSON, configured to give the same objects. */
import { readFileSync } from 'node:fs';
import { type Contender, writeWhole } from './contender.ts';

interface Element {
  /** Undefined while there is only text. */
  members: Record<string, unknown> | undefined;
  text: string;
}

/** A repeated name becomes a list. */
function put(members: Record<string, unknown>, name: string, value: unknown): void {
  const there = members[name];
  if (there === undefined) members[name] = value;
  else if (Array.isArray(there)) there.push(value);
  else members[name] = [there, value];
}

export const xmlRivals: Readonly<Record<string, Contender>> = {
  async 'fast-xml-parser'() {
    const { XMLParser } = await import('fast-xml-parser');
    return (file, out) => {
      const parser = new XMLParser({
        ignoreAttributes: false,
        attributeNamePrefix: '@',
        textNodeName: '#text',
        parseTagValue: false,
        ignoreDeclaration: true,
      });
      writeWhole(out, JSON.stringify(parser.parse(readFileSync(file))));
    };
  },
  /** The smallest object builder on a strict parser. */
  async saxes() {
    const { SaxesParser } = await import('saxes');
    return (file, out) => {
      const parser = new SaxesParser({ position: false });
      const document: Record<string, unknown> = {};
      const open: Element[] = [];
      parser.on('opentag', ({ attributes }) => {
        let members: Element['members'];
        for (const key in attributes) {
          members ??= {};
          members[`@${key}`] = attributes[key];
        }
        open.push({ members, text: '' });
      });
      const addText = (text: string) => {
        const element = open.at(-1);
        if (element) element.text += text;
      };
      parser.on('text', addText);
      parser.on('cdata', addText);
      parser.on('closetag', ({ name }) => {
        const element = open.pop();
        if (!element) return;
        const { members, text } = element;
        if (members !== undefined && text.trim() !== '') members['#text'] = text;
        const parent = open.at(-1);
        if (parent) parent.members ??= {};
        put(parent?.members ?? document, name, members ?? text);
      });
      parser.write(readFileSync(file, 'utf8')).close();
      writeWhole(out, JSON.stringify(document));
    };
  },
};
