/** Identifies a circuit: one model of one key of a channel. */
export interface CircuitKey {
  readonly channelId: number
  readonly keyId: string
  /** The name at the provider. */
  readonly model: string
}

/** The model name of the circuit of a whole key. */
export const EVERY_MODEL = ''

/** The circuits that are not closed. Found without building a string key: routing looks at thousands of them. */
export class OpenCircuits<Circuit extends { readonly isTripped: boolean }> {
  readonly #byChannel = new Map<number, Map<string, Map<string, Circuit>>>()

  hasChannel(channelId: number): boolean {
    return this.#byChannel.has(channelId)
  }

  /** The circuit of the model, and that of the whole key. */
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
