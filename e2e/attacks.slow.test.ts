/** Attacks by class on the built program, with the number of tries and what came of them. `npm run attacks` tries everything, here the tools take turns. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as clients from './support/attacks/clients.ts';
import * as paths from './support/attacks/paths.ts';
import { attempt, type Outcome, reading, type Tried, writing } from './support/attacks/tries.ts';
import * as words from './support/attacks/words.ts';
import { openWorld, SECRET, type World } from './support/attacks/world.ts';

const classes: [name: string, attack: (world: World) => Promise<Tried[]>, atLeast: number][] = [
  ['ways out of the folders', paths.waysOut, 400],
  ['folders exchanged under way', paths.swaps, 50],
  ['named pipes', paths.pipes, process.platform === 'win32' ? 0 : 20],
  ['a folder for reading', paths.readOnlyFolder, 20],
  ['own files and what lies beside them', paths.ownFiles, 200],
  ['agents’ settings', paths.agentsSettings, 100],
  ['places that programs run from', paths.placesThatRun, 150],
  ['credentials', paths.credentials, 250],
  ['other clients', clients.otherClients, 100],
  ['resources/read', clients.resources, 40],
  ['approvals', clients.approvals, 30],
  ['the HTTP server', clients.httpServer, 40],
  ['roots of a client', words.roots, 60],
  ['links in answers of servers', words.links, 40],
  ['templates and expressions', words.expressions, 100],
  ['the link of the console', words.consoleLink, 25],
  ['the terminal', clients.terminal, 20],
];

let world: World;
const tallies: { name: string; count: Record<Outcome, number> }[] = [];
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  process.stdout.write(`${table()}\n`);
  await world?.close();
});

it.each(classes)('%s', async (name, attack, atLeast) => {
  const tried = await attack(world);
  const count: Record<Outcome, number> = { refused: 0, harmless: 0, open: 0 };
  for (const { outcome } of tried) count[outcome] += 1;
  tallies.push({ name, count });
  expect(tried.filter(({ outcome }) => outcome === 'open').map(({ what }) => what)).toEqual([]);
  expect(tried.length).toBeGreaterThanOrEqual(atLeast);
});

it('what is given away or changed is noticed', async () => {
  const file = await world.home.file('control.txt', SECRET);
  const [client] = world.attackers;
  if (!client) throw new Error('nobody attacks');
  const outcomes: Outcome[] = [];
  for (const call of [...reading(world, file), ...writing(world, file)]) {
    await world.home.file('control.txt', SECRET);
    outcomes.push((await attempt(client, call, [file])).outcome);
  }
  expect(outcomes.filter((outcome) => outcome === 'open').length).toBeGreaterThan(15);
});

function table(): string {
  const sum = (outcomes: readonly Outcome[], rows = tallies) =>
    rows.reduce((total, { count }) => total + outcomes.reduce((part, outcome) => part + count[outcome], 0), 0);
  const columns: (readonly Outcome[])[] = [['refused', 'harmless', 'open'], ['refused'], ['harmless'], ['open']];
  const row = (name: string, cells: readonly (string | number)[]) =>
    name.padEnd(40) + cells.map((cell) => String(cell).padStart(10)).join('');
  return [
    row('attack', ['tries', 'refused', 'harmless', 'open']),
    ...tallies.map((tally) =>
      row(
        tally.name,
        columns.map((outcomes) => sum(outcomes, [tally])),
      ),
    ),
    row(
      'all',
      columns.map((outcomes) => sum(outcomes)),
    ),
    `open: ${sum(['open'])}`,
  ].join('\n');
}
