/** Finds the lists inside a JSON text, as an expression names them. */
import { decodeString } from './json-members.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonTokens, MORE, OPEN_LIST, OPEN_OBJECT, STRING } from './json-tokens.ts';

const DEEPEST = 4;

/** A list in a JSON text. */
export interface ListInside {
  /** JSONata path: `result.rows`. */
  readonly path: string;
  /** How many items were seen. */
  readonly items: number;
  /** Whether the list goes on after what was searched. */
  readonly goesOn: boolean;
}

/** Lists that are members of objects, not of other lists. The longest first. `searched` is how much of the text is searched, in bytes. */
export async function listsInside(chunks: AsyncIterable<Uint8Array>, searched: number): Promise<ListInside[]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= searched) break;
  }
  const json = Buffer.concat(parts, length);
  const tokens = new JsonTokens();
  tokens.load(json);
  const found: { path: string; items: number; goesOn: boolean }[] = [];
  const path: string[] = [];
  let name = '';
  let lists = 0;
  /** Depth of the items of the list that is read. */
  let inside = 0;
  let text: [from: number, to: number] = [0, 0];
  for (let token = tokens.next(DEEPEST); token !== MORE; token = tokens.next(DEEPEST)) {
    const list = found.at(-1);
    if (list?.items === 0 && lists === 1 && token !== CLOSE_LIST) list.items = 1;
    if (token === STRING) text = [tokens.from, tokens.to];
    else if (token === COLON) name = decodeString(json, text[0] - 1, text[1] + 1);
    else if (token === OPEN_OBJECT) path.push(name);
    else if (token === CLOSE_OBJECT) path.pop();
    else if (token === OPEN_LIST) {
      // The first name is that of the whole text, which has none.
      if (lists === 0 && path.length > 0) {
        found.push({ path: [...path.slice(1), name].map(written).join('.'), items: 0, goesOn: true });
        inside = tokens.depth + 1;
      }
      lists += 1;
    } else if (token === CLOSE_LIST) {
      lists -= 1;
      if (list && lists === 0) list.goesOn = false;
    } else if (list && token === COMMA && lists === 1 && tokens.depth === inside) list.items += 1;
  }
  return found.sort((a, b) => b.items - a.items);
}

const written = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);
