const NAME = /^[a-z][a-z0-9-]{0,62}$/

/** A region's name, or a JSON object of model names to regions that has a default. */
export function isRegion(text: string): boolean {
  const region = text.trim()
  if (NAME.test(region)) return true
  try {
    const map: unknown = JSON.parse(region)
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
    return Object.hasOwn(map, 'default') && Object.values(map).every((value) => NAME.test(String(value)))
  } catch {
    return false
  }
}
