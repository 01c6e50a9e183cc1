/** Loaded before the electron package's installer, which prints an error without its cause: 'fetch failed' says nothing. */
const { fetch } = globalThis;

globalThis.fetch = async (...given) => {
  try {
    return await fetch(...given);
  } catch (error) {
    const { code, message = '' } = error.cause ?? error;
    // Where several addresses were tried, there is a code alone.
    const known = code === undefined || message.includes(code) ? message : `${message} ${code}`.trim();
    throw new Error(`${known} for ${given[0]}`, { cause: error });
  }
};
