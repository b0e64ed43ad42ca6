/** Names between commas, each once, as models, groups and ids are written on the wire. */
export function splitNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}
