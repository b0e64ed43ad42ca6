/** Readers of the texts operators write into a channel. Each gives undefined for a text it cannot read. */

export function readList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** A JSON object; blank is the empty one. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function readNameMap(text: string): Map<string, string> | undefined {
  return readMap(
    text,
    (name) => name,
    (value) => (typeof value === 'string' ? value : undefined),
  )
}

/** Status codes to status codes, each written as a number or as its digits. */
export function readStatusMap(text: string): Map<number, number> | undefined {
  return readMap(text, readStatus, readStatus)
}

function readMap<Key, Value>(
  text: string,
  readKey: (key: string) => Key | undefined,
  readValue: (value: unknown) => Value | undefined,
): Map<Key, Value> | undefined {
  const object = readObject(text)
  if (!object) return undefined
  const map = new Map<Key, Value>()
  for (const [from, to] of Object.entries(object)) {
    const key = readKey(from)
    const value = readValue(to)
    if (key === undefined || value === undefined) return undefined
    map.set(key, value)
  }
  return map
}

function readStatus(value: unknown): number | undefined {
  const status = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : NaN
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
}
