/** A map of limited size. Beyond the limit, the entry that was set longest ago is dropped. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #limit: number
  readonly #dropped: (key: Key, value: Value) => void

  constructor(limit: number, dropped: (key: Key, value: Value) => void = () => {}) {
    this.#limit = limit
    this.#dropped = dropped
  }

  get size(): number {
    return this.#entries.size
  }

  /** Reading does not make an entry newer. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key) // moves the entry to the end
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#limit) return
    const [oldest] = this.#entries
    this.#entries.delete(oldest![0])
    this.#dropped(...oldest!)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  values(): Value[] {
    return [...this.#entries.values()]
  }
}
