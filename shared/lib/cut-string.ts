/** The text of a JSON string that may be cut anywhere, also in an escape. What cannot be read is given back as it is. */
export function cutString(json: string): string {
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
