/** Types of `?raw` imports, which Vite and Vitest resolve to a file's text. */
declare module '*?raw' {
  const text: string;
  export = text;
}
