import type { Circuit } from './circuit-breaker.ts'

/** One way to a vendor's model. */
export interface Way {
  readonly channelId: number
  readonly keyId: string
  /** As the vendor knows it. */
  readonly model: string
}

/** The model under which a key's own circuit stands. */
export const EVERY_MODEL = ''

/** The circuits that are not closed, found without putting a name together: routing looks at thousands of ways. */
export class Trouble {
  readonly #byChannel = new Map<number, Map<string, Map<string, Circuit>>>()

  concerns(channelId: number): boolean {
    return this.#byChannel.has(channelId)
  }

  /** The circuit of the model and that of the key as a whole. */
  find({ channelId, keyId, model }: Way): readonly [Circuit | undefined, Circuit | undefined] {
    const circuits = this.#byChannel.get(channelId)?.get(keyId)
    return [circuits?.get(model), circuits?.get(EVERY_MODEL)]
  }

  count(which: (circuit: Circuit) => boolean): number {
    let count = 0
    for (const byKey of this.#byChannel.values()) {
      for (const byModel of byKey.values()) {
        for (const circuit of byModel.values()) count += which(circuit) ? 1 : 0
      }
    }
    return count
  }

  note({ channelId, keyId, model }: Way, circuit: Circuit): void {
    if (circuit.troubled) {
      const byKey = this.#byChannel.get(channelId) ?? new Map<string, Map<string, Circuit>>()
      const byModel = byKey.get(keyId) ?? new Map<string, Circuit>()
      this.#byChannel.set(channelId, byKey.set(keyId, byModel.set(model, circuit)))
    } else this.forget({ channelId, keyId, model })
  }

  forget({ channelId, keyId, model }: Way): void {
    const byKey = this.#byChannel.get(channelId)
    const byModel = byKey?.get(keyId)
    byModel?.delete(model)
    if (byModel?.size === 0) byKey!.delete(keyId)
    if (byKey?.size === 0) this.#byChannel.delete(channelId)
  }
}
