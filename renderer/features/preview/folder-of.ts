/** The folder of a file's path, of either platform. */
export function folderOf(path: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const folder = path.slice(0, Math.max(cut, 0));
  return folder === '' || folder.endsWith(':') ? path.slice(0, cut + 1) : folder;
}
