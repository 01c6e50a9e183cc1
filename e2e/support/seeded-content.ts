/** Generates test content from a seed: a document, a content pack and tables, with the same bytes in every run. */

/** Seeded random numbers in [0, 1) (mulberry32, Tommy Ettinger 2017). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words =
  'the service reads each record once and keeps its order so a caller that retries after a lost answer finds what it wrote before under the same key in any region while older copies stay readable for seven days unless the owner of the folder asks for them to be removed'.split(
    ' ',
  );
const names = ['Ada', 'Zoë', 'Björn', 'Mei', 'Omar', 'Lucía', 'Ivan', 'Noor', 'Tomás', 'Grace'];
const families = ['Lovelace', 'García', 'Müller', 'Chen', 'Haddad', 'Novak', 'Okafor', 'Smith', 'Dubois', 'Larsen'];

class Writer {
  private readonly random: () => number;
  constructor(seed: number) {
    this.random = seeded(seed);
  }
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  sentence(): string {
    const said = Array.from({ length: 8 + this.below(12) }, () => this.one(words));
    if (this.below(3) === 0) said[this.below(said.length)] = `\`${this.one(words)}_${this.one(words)}\``;
    if (this.below(3) === 0) said[this.below(said.length)] = `"${this.one(words)} ${this.one(words)}"`;
    const text = said.join(' ');
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  }
  paragraph(): string {
    return Array.from({ length: 3 + this.below(4) }, () => this.sentence()).join(' ');
  }
  code(): string {
    const [key, value] = [this.one(words), this.sentence().replaceAll('"', "'")];
    return `\`\`\`ts\nconst ${key} = await read("${this.one(words)}.json", { retry: ${this.below(9)} });\nif (!${key}) {\n\tthrow new Error("${value}");\n}\nlog(\`${key}: \${${key}.${this.one(words)}}\`);\n\`\`\``;
  }
}

/** A Markdown document of about this many bytes, with quotes, backticks, tabs and code. */
export function markdownDocument(bytes: number): string {
  const writer = new Writer(10);
  let text = '# How records are kept\n';
  for (let section = 1; text.length < bytes; section += 1) {
    text += `\n## ${section}. ${writer.sentence()}\n\n${writer.paragraph()}\n\n${writer.code()}\n`;
  }
  return text;
}

/** A pack of titled texts for a site, as indented JSON of about this many bytes. */
export function contentPack(bytes: number): string {
  const writer = new Writer(67);
  const entries: object[] = [];
  for (let size = 0; size < bytes; ) {
    const entry = {
      id: `entry-${entries.length + 1}`,
      title: writer.sentence(),
      tags: [writer.one(words), writer.one(words)],
      body: `${writer.paragraph()}\n\n${writer.code()}\n`,
    };
    entries.push(entry);
    size += JSON.stringify(entry, null, 2).length + 50;
  }
  return `${JSON.stringify({ version: 3, locale: 'en', entries }, null, 2)}\n`;
}

export interface Person {
  id: number;
  name: string;
  email: string;
  zip: string;
  amount: number;
  active: boolean;
  note: string | null;
}

export function people(rows: number): Person[] {
  const writer = new Writer(500);
  return Array.from({ length: rows }, (_, index) => {
    const [name, family] = [writer.one(names), writer.one(families)];
    return {
      id: index + 1,
      name: `${name} ${family}`,
      email: `user.${writer.below(1_000_000)}@example.org`,
      zip: String(writer.below(100_000)).padStart(5, '0'),
      amount: writer.below(10_000_000) / 100,
      active: writer.below(2) === 0,
      note: writer.below(4) === 0 ? null : `said "${writer.one(words)} ${writer.one(words)}", then ${writer.one(words)}`,
    };
  });
}

/** The same people as CSV: RFC 4180, an empty cell for no note. */
export function peopleCsv(rows: readonly Person[]): string {
  const cell = (value: string | number | boolean | null) =>
    typeof value === 'string' && /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? '');
  return `id,name,email,zip,amount,active,note\n${rows.map((row) => `${Object.values(row).map(cell).join(',')}\n`).join('')}`;
}
