/** Text for a notification's body, which Linux desktops read as markup (Desktop Notifications Specification, "Markup"). */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function noticeText(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'linux' ? text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '') : text;
}
