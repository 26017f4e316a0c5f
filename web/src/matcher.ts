// Matches a search term as plain text or as a regular expression.

/** Whether a text holds the term, in letters of any size; null for no term. */
export function matcher(term: string): ((text: string) => boolean) | null {
  const needle = term.trim().toLowerCase();
  if (needle === "") {
    return null;
  }
  const plain = (text: string) => text.toLowerCase().includes(needle);
  if (!/[\\^$.*+?()[\]{}|]/.test(needle)) {
    return plain;
  }
  try {
    const expression = new RegExp(term.trim(), "i");
    // `Json$Codec` is a name, and as an expression finds nothing.
    return (text) => plain(text) || expression.test(text);
  } catch {
    return plain;
  }
}
