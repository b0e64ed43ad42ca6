import { hash } from 'node:crypto'
import type { CatalogChannel } from '../ports/index.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

export interface PickedKey {
  readonly key: string
  readonly id: string
}

type KeyedChannel = Pick<CatalogChannel, 'id' | 'keys'>

export interface ChannelKeys {
  /** The preferred key, else the next one in rotation that does not cool down; undefined when all do. */
  pick(channel: KeyedChannel, model: string, callerId: number, preferredId?: string): PickedKey | undefined
  /** The next one in rotation, also when it cools down. */
  pickAnyway(channel: KeyedChannel): PickedKey | undefined
}

/** Rotates the keys of each channel. The rotation restarts when the keys change. */
export function createChannelKeys(breaker: Pick<CircuitBreaker, 'hasOpenCircuit' | 'waitFor'>): ChannelKeys {
  const rotations = new Map<number, { keys: readonly string[]; text: string; next: number }>()

  function rotationOf({ id, keys }: KeyedChannel) {
    let rotation = rotations.get(id)
    // A new catalog has new arrays, mostly with the same keys.
    if (rotation?.keys !== keys) {
      const text = keyIdsOf(keys).join()
      rotation = { keys, text, next: rotation?.text === text ? rotation.next : 0 }
      rotations.set(id, rotation)
    }
    return rotation
  }

  function takeNext(channel: KeyedChannel, isUsable: (keyId: string) => boolean): PickedKey | undefined {
    const ids = keyIdsOf(channel.keys)
    // A single key needs no rotation. It may be the only key of several that this request may use: their rotation stays
    // as it is.
    if (ids.length === 1) return isUsable(ids[0]!) ? { key: channel.keys[0]!, id: ids[0]! } : undefined
    const rotation = rotationOf(channel)
    for (let step = 0; step < ids.length; step += 1) {
      const at = (rotation.next + step) % ids.length
      if (!isUsable(ids[at]!)) continue
      rotation.next = (at + 1) % ids.length
      return { key: channel.keys[at]!, id: ids[at]! }
    }
    return undefined
  }

  return {
    pick(channel, model, callerId, preferredId) {
      const hasOpenCircuit = breaker.hasOpenCircuit(channel.id)
      const isUsable = (keyId: string) =>
        !hasOpenCircuit || breaker.waitFor({ channelId: channel.id, keyId, model }, callerId) === 0
      const preferred = preferredId === undefined ? -1 : keyIdsOf(channel.keys).indexOf(preferredId)
      if (preferred !== -1 && isUsable(preferredId!)) return { key: channel.keys[preferred]!, id: preferredId! }
      return takeNext(channel, isUsable)
    },
    pickAnyway: (channel) => takeNext(channel, () => true),
  }
}

const idsByKeys = new WeakMap<readonly string[], readonly string[]>()

/** Short ids of keys, in their order: they do not reveal the key, and are stable across catalogs. */
export function keyIdsOf(keys: readonly string[]): readonly string[] {
  let ids = idsByKeys.get(keys)
  if (!ids) idsByKeys.set(keys, (ids = keys.map(keyIdOf)))
  return ids
}

export function keyIdOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 12)
}
