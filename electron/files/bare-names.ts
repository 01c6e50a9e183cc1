/** Finds the original name of a backup, copy or archive: `.env.bak` is a copy of `.env`. */

/** Suffixes that editors, backups and archives add. */
const endings = [
  /(?:~|\.~\d+~|\.(?:bak|backup|bkp|old|orig|original|save|saved|copy|tmp|temp|swp|swo|swx|rej|dpkg-(?:old|dist|new)|rpm(?:save|orig|new))\d*)$/,
  /\.(?:gz|tgz|bz2|tbz2?|xz|txz|lz4|lzma|zst|br|zip|7z|rar|tar|cpio|gpg|asc|age|enc)$/,
  /[._ -](?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:[t._ -]?\d\d[-:.h]?\d\d(?:[-:.m]?\d\d)?(?:[.]?\d{3})?z?)?$/,
  /[._ -]\d{10}(?:\d{3})?$/,
  /\.\d{1,3}$/,
  / ?\(\d+\)$/,
  /(?: - |[ ._-])(?:copy|kopie|copie|copia)(?: \(?\d+\)?)?$/,
  /[._ -](?:bak|backup|old|orig|original|save|saved|prev|previous)\d*$/,
  /\.filebridge-backup-.*$/,
  /\.sync-conflict-.*$/,
] as const;

/** Prefixes that they add. */
const beginnings = [
  /^\.#/,
  /^#(?=.*#$)/,
  /^\._/,
  /^(?:copy of|kopie von|copie de|copia de) /,
  /^(?:backup|bak|old)[._ -]/,
] as const;

/** How many nested suffixes are removed; names are untrusted. */
const MAX_NAMES = 24;
/** Longer than any name that a file system holds. */
const MAX_LENGTH = 512;

/** A name without any of these suffixes or prefixes. */
const plain = /^[a-z_-]*(?:\.[a-z]{1,2}|\.(?:csv|tsv|json|jsonl|txt|xml|yaml|yml|md|png|jpe?g|pdf|html|css))?$/;
const marked = /old|bak|copy|kopie|copie|copia|save|backup|orig|prev|tmp|temp|\.(?:gz|br|xz|7z)$/;

/** The name itself and what it may be a copy of: `.env.bak.gz` gives `.env.bak` and `.env` too. In lower case, as the name given. */
export function bareNames(name: string): string[] {
  if (name.length > MAX_LENGTH) return [name];
  if (plain.test(name) && !marked.test(name)) return [name];
  const found = new Set([name]);
  for (const each of found) {
    for (const next of unwrapped(each)) if (next !== '' && next !== '.' && found.size < MAX_NAMES) found.add(next);
  }
  return [...found];
}

function* unwrapped(name: string): Generator<string> {
  for (const ending of endings) if (ending.test(name)) yield name.replace(ending, '');
  for (const beginning of beginnings) if (beginning.test(name)) yield name.replace(beginning, '').replace(/#$/, '');
  // Vim's: `.servers.json.swp` is of `servers.json`.
  if (/^\..+\.sw[pox]$/.test(name)) yield name.slice(1, -4);
  // `credentials (1).json` is a copy as well as `credentials.json.1`.
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return;
  const [stem, extension] = [name.slice(0, dot), name.slice(dot)];
  for (const ending of endings) if (ending.test(stem)) yield stem.replace(ending, '') + extension;
}
