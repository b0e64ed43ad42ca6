/** The object in a JSON text; the empty one for a blank, undefined for anything else. */
export function readObject(written: string): Record<string, unknown> | undefined {
  if (written.trim() === '' || written.trim() === 'null') return {}
  try {
    const value: unknown = JSON.parse(written)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
