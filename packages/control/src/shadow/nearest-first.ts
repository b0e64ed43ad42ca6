/** Things to be taken by their distance, nearest first, while more are put in. A binary heap. */
export class NearestFirst<Thing> {
  readonly #heap: { readonly distance: number; readonly thing: Thing }[] = []

  put(distance: number, thing: Thing): void {
    const heap = this.#heap
    let at = heap.length
    const entry = { distance, thing }
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]!.distance <= distance) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  take(): Thing | undefined {
    const heap = this.#heap
    const nearest = heap[0]
    const last = heap.pop()
    if (!nearest || !last || heap.length === 0) return nearest?.thing
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
    return nearest.thing
  }
}
