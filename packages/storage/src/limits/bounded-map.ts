export interface BoundedMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/** A map keeps insertion order, so setting a key anew at the end makes the first key the longest untouched. */
export function boundedMap<Value>(max: number): BoundedMap<Value> {
  const map = new Map<string, Value>()
  return {
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      if (map.size > max) map.delete(map.keys().next().value!)
    },
    delete: (key) => void map.delete(key),
  }
}
