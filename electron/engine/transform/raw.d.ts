/** Files taken into the program as text: Vite and Vitest resolve `?raw`. */
declare module '*?raw' {
  const text: string;
  export = text;
}
