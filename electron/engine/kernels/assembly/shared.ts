/** What all kernels share: bytes by name, and loads that read as what they mean. */

export const QUOTE: u8 = 0x22;
export const BACKSLASH: u8 = 0x5c;
export const LF: u8 = 0x0a;
export const CR: u8 = 0x0d;
