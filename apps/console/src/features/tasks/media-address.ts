/** An address that a picture or a player may be given: what vendors say is not always one, and some would run as a script. */
export function mediaAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  if (/^\/[^/\\]/.test(value)) return value // one of this site
  const url = URL.parse(value)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}
