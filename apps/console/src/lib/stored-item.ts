/** One item of local storage. Reading never throws; invalid values count as missing. */
export interface StoredItem<Value> {
  get(): Value | null
  set(value: Value): void
  clear(): void
}

interface Codec<Value> {
  read(text: string): Value | null
  write(value: Value): string
}

export function storedItem<Value>(name: string, codec: Codec<Value>): StoredItem<Value> {
  return {
    get() {
      try {
        const text = localStorage.getItem(name)
        return text === null ? null : codec.read(text)
      } catch {
        return null
      }
    },
    set(value) {
      try {
        localStorage.setItem(name, codec.write(value))
      } catch {
        // Storage is full or blocked, so the value is not saved.
      }
    },
    clear() {
      try {
        localStorage.removeItem(name)
      } catch {
        // Storage is blocked, so nothing was saved.
      }
    },
  }
}

export const text: Codec<string> = { read: (stored) => stored, write: (value) => value }

export const flag: Codec<boolean> = {
  read: (stored) => (stored === 'true' ? true : stored === 'false' ? false : null),
  write: String,
}

export const positiveNumber: Codec<number> = {
  read: (stored) => (Number.isFinite(Number(stored)) && Number(stored) > 0 ? Number(stored) : null),
  write: String,
}

export function oneOf<Value extends string | number>(choices: readonly Value[]): Codec<Value> {
  return { read: (stored) => choices.find((choice) => String(choice) === stored) ?? null, write: String }
}

export function json<Value>(isValid: (value: unknown) => value is Value): Codec<Value> {
  return {
    read(stored) {
      const value: unknown = JSON.parse(stored)
      return isValid(value) ? value : null
    },
    write: (value) => JSON.stringify(value),
  }
}
