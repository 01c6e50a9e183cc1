/** Finds the lists inside a JSON text, as an expression names them. */
import { decodeString } from './json-members.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonTokens, MORE, OPEN_LIST, OPEN_OBJECT, STRING } from './json-tokens.ts';

const DEEPEST = 4;
const MOST = 3;
/** Bytes of a text that are searched. */
const SEARCHED = 1024 * 1024;

/** JSONata paths of lists that are members of objects, not of other lists: `result.rows`. The longest first. */
export async function listsInside(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= SEARCHED) break;
  }
  const json = Buffer.concat(parts, length);
  const tokens = new JsonTokens();
  tokens.load(json);
  const found: { path: string; commas: number }[] = [];
  const path: string[] = [];
  let name = '';
  let lists = 0;
  /** Depth of the items of the list that is read. */
  let inside = 0;
  let text: [from: number, to: number] = [0, 0];
  for (let token = tokens.next(DEEPEST); token !== MORE; token = tokens.next(DEEPEST)) {
    if (token === STRING) text = [tokens.from, tokens.to];
    else if (token === COLON) name = decodeString(json, text[0] - 1, text[1] + 1);
    else if (token === OPEN_OBJECT) path.push(name);
    else if (token === CLOSE_OBJECT) path.pop();
    else if (token === OPEN_LIST) {
      // The first name is that of the whole text, which has none.
      if (lists === 0 && path.length > 0) {
        found.push({ path: [...path.slice(1), name].map(written).join('.'), commas: 0 });
        inside = tokens.depth + 1;
      }
      lists += 1;
    } else if (token === CLOSE_LIST) lists -= 1;
    else if (token === COMMA && lists === 1 && tokens.depth === inside) (found.at(-1) as { commas: number }).commas += 1;
  }
  return found
    .sort((a, b) => b.commas - a.commas)
    .slice(0, MOST)
    .map((each) => each.path);
}

const written = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);
