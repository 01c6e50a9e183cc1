/** Hands a text to the user as a file: the browser's download, the window's save dialog. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the blob after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
