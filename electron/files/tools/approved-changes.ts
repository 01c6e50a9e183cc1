/** Asks for approval of a change if the folder's settings require it. Each function returns the state that was shown, to compare at the change. */
import { lstat } from 'node:fs/promises';
import type { FileChange } from '../../../shared/model/config.ts';
import { notRegular } from '../failures.ts';
import { asksBefore } from '../folder-policy.ts';
import { destinationExists } from './failures.ts';
import { type Approved, type AskAboutLoss, type Loss, lookAt, moveRule } from './loss.ts';
import { newSpelling } from './move.ts';
import { checkWritable, type Place } from './places.ts';

/** Undefined answers: the change needs no approval. */
export function approvals(ask: AskAboutLoss | undefined) {
  async function approved(
    place: Place,
    rule: { place: Place; change: FileChange },
    about: Pick<Loss, 'change'> & Partial<Pick<Loss, 'destination' | 'newBytes' | 'diff'>>,
  ): Promise<Approved> {
    const { there, ...shown } = await lookAt(place);
    if (about.change !== 'move' && there.isDirectory()) throw notRegular(place.asked, 'a directory');
    await ask?.({
      path: place.real,
      destination: null,
      newBytes: null,
      diff: null,
      ...shown,
      ...about,
      rule: { folder: rule.place.folder.path, change: rule.change },
    });
    return { there };
  }

  return {
    async approvedOverwrite(place: Place, newBytes: number): Promise<Approved | undefined> {
      if (!ask || !asksBefore(place.folder, 'overwrite')) return undefined;
      checkWritable(place, place.real);
      // A new file loses nothing; a file that appears meanwhile is not overwritten.
      if (!(await lstat(place.real).catch(() => undefined))) return { there: undefined };
      return approved(place, { place, change: 'overwrite' }, { change: 'overwrite', newBytes });
    },
    async approvedEdit(place: Place, diffOf: () => Promise<string>): Promise<Approved | undefined> {
      if (!ask || !asksBefore(place.folder, 'overwrite')) return undefined;
      checkWritable(place, place.real);
      return approved(place, { place, change: 'overwrite' }, { change: 'edit', diff: hunksOf(await diffOf()) });
    },
    async approvedMove(from: Place, to: Place): Promise<Approved | undefined> {
      const rule = ask ? moveRule(from, to) : undefined;
      if (rule === undefined) return undefined;
      checkWritable(to, to.real);
      const taken = await lstat(to.real).catch(() => undefined);
      if (taken && (await newSpelling(from, to)) === undefined) throw destinationExists(to.real);
      return approved(from, { place: rule, change: 'move' }, { change: 'move', destination: to.real });
    },
    async approvedDelete(place: Place, permanent: boolean): Promise<Approved | undefined> {
      if (!ask || !asksBefore(place.folder, 'delete', permanent)) return undefined;
      return approved(place, { place, change: 'delete' }, { change: permanent ? 'delete' : 'trash' });
    },
  };
}

/** `fencedDiff` without its fence and header: the approval shows the path separately. */
const hunksOf = (fenced: string): string => fenced.slice(fenced.indexOf('\n@@') + 1).replace(/`+\n\n$/, '');
