/** The files in the pictures, and what is sent of each: sizes and token counts in the pictures are theirs. */

export interface SampleFile {
  name: string;
  content: string;
  records: number;
  /** What goes into the arguments, as JSON text. */
  payload: string;
}

const people = [
  ['Ada Lovelace', 'Analysis'],
  ['Grace Hopper', 'Compilers'],
  ['Alan Turing', 'Research'],
  ['Edsger Dijkstra', 'Algorithms'],
  ['Barbara Liskov', 'Languages'],
  ['Donald Knuth', 'Documentation'],
] as const;
const products = ['Desk lamp', 'Office chair', 'Standing desk', 'Monitor arm', 'Cable tray', 'Footrest'] as const;

const person = (index: number): string => people[index % people.length]?.[0] ?? '';
const mail = (index: number): string => `${person(index).split(' ')[0]?.toLowerCase()}.${index}@example.org`;
const date = (index: number): string => `2026-${pad((index % 10) + 1, 2)}-${pad((index % 28) + 1, 2)}`;
const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');

function csv(name: string, records: readonly Record<string, unknown>[]): SampleFile {
  const header = Object.keys(records[0] ?? {}).join(',');
  const content = `${[header, ...records.map((record) => Object.values(record).join(','))].join('\n')}\n`;
  return { name, content, records: records.length, payload: JSON.stringify(records) };
}

const customers = csv(
  'customers.csv',
  Array.from({ length: 4200 }, (_, index) => ({
    id: index + 1,
    name: person(index),
    email: mail(index),
    zip: pad((index * 7919) % 100_000, 5),
    revenue: 19 + ((index * 37) % 4200) / 10,
    active: index % 3 !== 0,
    since: date(index),
  })),
);

const orders = csv(
  'orders-2026.csv',
  Array.from({ length: 18_350 }, (_, index) => ({
    order: `2026-${pad(index + 1, 5)}`,
    customer: ((index * 31) % 4200) + 1,
    product: products[(index * 7) % products.length],
    quantity: (index % 5) + 1,
    price: 24 + ((index * 13) % 900) / 2,
    date: date(index),
  })),
);

const team = people.flatMap(([, area], group) =>
  Array.from({ length: 8 }, (_, index) => ({ title: `${area}: review part ${index + 1}`, owner: person(group + index) })),
);
const teamText = `${JSON.stringify(team, null, 2)}\n`;

const rules = [
  'Customers get an answer within one working day, and a person is named who takes care of the rest.',
  'An order that cannot be delivered in time is reported on the day on which this becomes known.',
  'Prices change on the first day of a month. Offers that are still open keep their price for thirty days.',
  'Returned goods are checked within three days, and the money goes back by the way on which it came.',
  'Invoices are sent with the goods. A reminder follows after thirty days, and a call a week later.',
] as const;
const handbook = `# Handbook\n\n${Array.from(
  { length: 60 },
  (_, section) =>
    `## ${section + 1}. ${products[section % products.length]}s, case ${Math.floor(section / products.length) + 1}\n\n${rules
      .map((_rule, index) => rules[(section + index) % rules.length])
      .join(' ')}\n`,
).join('\n')}`;

export const sampleFiles = {
  customers,
  orders,
  team: { name: 'team.json', content: teamText, records: team.length, payload: JSON.stringify(team) },
  handbook: { name: 'handbook.md', content: handbook, records: 1, payload: JSON.stringify(handbook) },
} satisfies Record<string, SampleFile>;
