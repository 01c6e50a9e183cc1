/** Texts out of JSON that was cut off somewhere. */

/** The text of a JSON string that may be cut off anywhere. */
export function beginning(json: string): string {
  // An escape that was cut in two, or half of a pair of them, goes too.
  const whole = json.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1').replace(/\\u[dD][89abAB][0-9a-fA-F]{2}$/, '');
  for (const attempt of [json, `${whole}"`]) {
    try {
      return String(JSON.parse(attempt));
    } catch {
      // The next attempt closes it.
    }
  }
  return json;
}
