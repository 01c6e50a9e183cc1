/** A server of the catalogue as a person sees it: its mark, its words in their language, and what it needs. */
import type { CatalogueEntry, OfferView, Worded } from '../../../shared/contract/upstreams.ts';
import { currentLanguage } from '../../i18n/texts.ts';
import { Badge } from '../../ui/feedback.tsx';
import { Check, Info, TriangleAlert } from '../../ui/icons/icons.tsx';
import { t } from './servers-texts.ts';

export const inLanguage = (words: Worded): string => words[currentLanguage()];

/** In the place of a logo. */
export function Mark({ entry: { mark, colour } }: { entry: CatalogueEntry }) {
  return (
    <span className="catalogue-mark" style={{ backgroundColor: colour }} aria-hidden="true">
      {mark}
    </span>
  );
}

/** The runtime that provides the program, and where to get it. */
const programs: Readonly<Record<string, { name: string; site: string }>> = {
  npx: { name: 'Node.js', site: 'nodejs.org' },
  uvx: { name: 'uv', site: 'docs.astral.sh/uv' },
  docker: { name: 'Docker', site: 'docker.com' },
};
function known(program: NonNullable<CatalogueEntry['program']>): { name: string; site: string } {
  const { name, site } = programs[program.name] ?? { name: program.name, site: '' };
  return { name: program.atLeast === null ? name : t('programVersion', { program: name, version: program.atLeast }), site };
}
const isMissing = ({ found, older }: NonNullable<CatalogueEntry['program']>): boolean => !found || older !== null;

/** In a word each, for the list. */
export function Needs({ entry: { asks, signIn, program } }: { entry: CatalogueEntry }) {
  return (
    <>
      {program !== null && isMissing(program) ? (
        <Badge tone="wait">{t('programNeeded', { program: known(program).name })}</Badge>
      ) : null}
      {asks.map((kind) => (
        <Badge key={kind}>{t(`asks_${kind}`)}</Badge>
      ))}
      {signIn ? <Badge>{t('asks_signIn')}</Badge> : null}
    </>
  );
}

/** In sentences, with what is missing on this computer. */
export function NeedsList({ entry: { program, host, signIn, needs } }: { entry: CatalogueEntry }) {
  return (
    <ul className="catalogue-needs" aria-label={t('needsTitle')}>
      {program === null ? null : <ProgramLine program={program} />}
      {host === null ? null : (
        <li>
          <Info aria-hidden="true" />
          <span>{t('runsThere', { host })}</span>
        </li>
      )}
      {signIn ? (
        <li>
          <Info aria-hidden="true" />
          <span>{t('needsSignIn')}</span>
        </li>
      ) : null}
      {needs === null ? null : (
        <li>
          <Info aria-hidden="true" />
          <span>{inLanguage(needs)}</span>
        </li>
      )}
    </ul>
  );
}

function ProgramLine({ program }: { program: NonNullable<CatalogueEntry['program']> }) {
  const { name, site } = known(program);
  if (!isMissing(program)) {
    return (
      <li>
        <Check aria-hidden="true" />
        <span>{t('programFound', { program: name })}</span>
      </li>
    );
  }
  const said = program.older === null ? t('programWhere', { program: name, site }) : '';
  return (
    <li data-missing="true">
      <TriangleAlert aria-hidden="true" />
      <span>{said || t('programOlder', { program: name, version: program.older ?? 0, site })}</span>
    </li>
  );
}

/** The form with the catalogue's words for its inputs. */
export const worded = (offer: OfferView, { inputs }: CatalogueEntry): OfferView => ({
  ...offer,
  inputs: offer.inputs.map((input) => {
    const words = inputs[input.id];
    if (words === undefined) return input;
    return {
      ...input,
      label: inLanguage(words.label),
      description: words.description === null ? input.description : inLanguage(words.description),
    };
  }),
});

/** Whether all words that were typed are in what the person reads of it, or in its English name. */
export function fitsSearch(entry: CatalogueEntry, typed: string): boolean {
  const text = [entry.id, inLanguage(entry.title), inLanguage(entry.purpose), entry.title.en, t(`category_${entry.category}`)]
    .join(' ')
    .toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
