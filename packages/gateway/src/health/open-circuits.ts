import type { Circuit } from './circuit-breaker.ts'

/** One way to a provider's model. */
export interface CircuitKey {
  readonly channelId: number
  readonly keyId: string
  /** As the provider knows it. */
  readonly model: string
}

/** The model under which a key's own circuit stands. */
export const EVERY_MODEL = ''

/** The circuits that are not closed, found without putting a name together: routing looks at thousands of ways. */
export class OpenCircuits {
  readonly #byChannel = new Map<number, Map<string, Map<string, Circuit>>>()

  hasChannel(channelId: number): boolean {
    return this.#byChannel.has(channelId)
  }

  /** The circuit of the model and that of the key as a whole. */
  find({ channelId, keyId, model }: CircuitKey): readonly [Circuit | undefined, Circuit | undefined] {
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

  update({ channelId, keyId, model }: CircuitKey, circuit: Circuit): void {
    if (circuit.isTripped) {
      const byKey = this.#byChannel.get(channelId) ?? new Map<string, Map<string, Circuit>>()
      const byModel = byKey.get(keyId) ?? new Map<string, Circuit>()
      this.#byChannel.set(channelId, byKey.set(keyId, byModel.set(model, circuit)))
    } else this.remove({ channelId, keyId, model })
  }

  remove({ channelId, keyId, model }: CircuitKey): void {
    const byKey = this.#byChannel.get(channelId)
    const byModel = byKey?.get(keyId)
    byModel?.delete(model)
    if (byModel?.size === 0) byKey!.delete(keyId)
    if (byKey?.size === 0) this.#byChannel.delete(channelId)
  }
}
