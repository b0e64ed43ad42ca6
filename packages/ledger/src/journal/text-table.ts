/** Stands for a text that is missing. */
export const NO_TEXT = 0

export class MissingText extends Error {
  override readonly name = 'MissingText'

  constructor(id: number) {
    super(`the segment has no text ${id}`)
  }
}

/** The texts that the records of one journal segment share. Each is stored once, under a number. */
export class TextTable {
  readonly #ids = new Map<string, number>()
  readonly #texts: string[] = ['']
  readonly #values: unknown[] = []
  readonly #onAdded: (id: number, text: string) => void

  constructor(onAdded: (id: number, text: string) => void = () => {}) {
    this.#onAdded = onAdded
  }

  /** The number of a text; a new one is reported first. */
  idOf(text: string): number {
    let id = this.#ids.get(text)
    if (id === undefined) {
      this.#ids.set(text, (id = this.#texts.length))
      this.#texts.push(text)
      this.#onAdded(id, text)
    }
    return id
  }

  /** A text that was read from the segment. */
  set(id: number, text: string): void {
    this.#texts[id] = text
  }

  text(id: number): string {
    const text = this.#texts[id]
    if (text === undefined) throw new MissingText(id)
    return text
  }

  /** The value of a JSON text, parsed once. It is shared, so it must not be changed. */
  value(id: number): unknown {
    return (this.#values[id] ??= JSON.parse(this.text(id)))
  }

  *entries(): Generator<[id: number, text: string], void, void> {
    for (let id = 1; id < this.#texts.length; id += 1) yield [id, this.#texts[id]!]
  }
}
