/** A map that stays small: past its limit, the entry that was set longest ago makes room. */
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

  /** Looking does not make an entry newer. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key) // or it would keep its old place
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
