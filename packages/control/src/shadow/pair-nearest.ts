/** An event with its time in milliseconds since 1970. */
interface TimestampedEntry {
  readonly at: number
}

interface TimelineEntry<One, Other> {
  readonly at: number
  readonly is: { readonly one: One } | { readonly other: Other }
  before: TimelineEntry<One, Other> | undefined
  after: TimelineEntry<One, Other> | undefined
  isTaken: boolean
}

/**
 * Pairs entries of two kinds, nearest first, at most `withinMs` apart. The nearest remaining pair is always adjacent in
 * time, so only neighbours are compared.
 */
export function pairNearest<One extends TimestampedEntry, Other extends TimestampedEntry>(
  ones: readonly One[],
  others: readonly Other[],
  withinMs: number,
): [One, Other][] {
  const pairs: [One, Other][] = []
  const neighbours = new DistanceQueue<[TimelineEntry<One, Other>, TimelineEntry<One, Other>]>()
  const offer = (left: TimelineEntry<One, Other> | undefined, right: TimelineEntry<One, Other> | undefined) => {
    if (!left || !right || 'one' in left.is === 'one' in right.is) return
    const distance = right.at - left.at
    if (distance <= withinMs) neighbours.put(distance, [left, right])
  }
  for (const stop of inOrder(ones, others)) offer(stop.before, stop)
  for (let nearest = neighbours.take(); nearest; nearest = neighbours.take()) {
    const [left, right] = nearest
    if (left.isTaken || right.isTaken) continue
    left.isTaken = right.isTaken = true
    pairs.push(pairOf(left.is, right.is))
    const { before } = left
    const { after } = right
    if (before) before.after = after
    if (after) after.before = before
    offer(before, after)
  }
  return pairs
}

function inOrder<One extends TimestampedEntry, Other extends TimestampedEntry>(
  ones: readonly One[],
  others: readonly Other[],
) {
  const stops: TimelineEntry<One, Other>[] = [
    ...ones.map((one) => timelineEntry<One, Other>(one.at, { one })),
    ...others.map((other) => timelineEntry<One, Other>(other.at, { other })),
  ].toSorted((a, b) => a.at - b.at)
  for (const [index, stop] of stops.entries()) {
    stop.before = stops[index - 1]
    stop.after = stops[index + 1]
  }
  return stops
}

function timelineEntry<One, Other>(at: number, is: TimelineEntry<One, Other>['is']): TimelineEntry<One, Other> {
  return { at, is, before: undefined, after: undefined, isTaken: false }
}

function pairOf<One, Other>(
  left: TimelineEntry<One, Other>['is'],
  right: TimelineEntry<One, Other>['is'],
): [One, Other] {
  if ('one' in left && 'other' in right) return [left.one, right.other]
  if ('other' in left && 'one' in right) return [right.one, left.other]
  throw new TypeError('two of a kind are no pair')
}

/** Priority queue by distance (binary heap). */
class DistanceQueue<Item> {
  readonly #heap: { readonly distance: number; readonly item: Item }[] = []

  put(distance: number, item: Item): void {
    const heap = this.#heap
    let at = heap.length
    const entry = { distance, item }
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]!.distance <= distance) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  take(): Item | undefined {
    const heap = this.#heap
    const nearest = heap[0]
    const last = heap.pop()
    if (!nearest || !last || heap.length === 0) return nearest?.item
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const child = right < heap.length && heap[right]!.distance < heap[left]!.distance ? right : left
      if (heap[child]!.distance >= last.distance) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return nearest.item
  }
}
