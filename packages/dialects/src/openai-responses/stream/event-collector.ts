import type { CanonicalEvent } from '../../canonical/index.ts'

type ResponseStart = Extract<CanonicalEvent, { type: 'response-start' }>

/** What the readers of a stream's items share: where their events go, and the numbers of their blocks. */
export interface EventCollector {
  emit(event: CanonicalEvent): void
  /** The number of a block that begins now. */
  nextBlock(): number
  /** A call began: the answer ends with calls to make. */
  markCall(): void
  newId(): string
}

export function createEventCollector(newId: () => string) {
  let events: CanonicalEvent[] = []
  let started = false
  let blocks = 0
  let hasCalls = false

  function start(event: ResponseStart): void {
    if (started) return
    started = true
    events.push(event)
  }
  return {
    start,
    emit(event: CanonicalEvent): void {
      // Some vendors leave out the event that tells an answer has begun.
      if (!started) start({ type: 'response-start' })
      events.push(event)
    },
    nextBlock: () => blocks++,
    markCall: () => {
      hasCalls = true
    },
    hasCalls: () => hasCalls,
    newId,
    take(): readonly CanonicalEvent[] {
      const taken = events
      events = []
      return taken
    },
  }
}
