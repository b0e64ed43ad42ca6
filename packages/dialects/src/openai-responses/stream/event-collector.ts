import { createDropReporter } from '../../canonical/dropped.ts'
import type { CanonicalEvent } from '../../canonical/index.ts'

type ResponseStart = Extract<CanonicalEvent, { type: 'response-start' }>

/** Shared by the item readers: collects events and numbers blocks. */
export interface EventCollector {
  emit(event: CanonicalEvent): void
  /** Reports a part that has no canonical form. */
  drop(name: string): void
  /** Number for a new block. */
  nextBlock(): number
  /** Records that the response has tool calls. */
  markCall(): void
  newId(): string
}

export function createEventCollector(newId: () => string) {
  let events: CanonicalEvent[] = []
  let started = false
  let blocks = 0
  let hasCalls = false
  const reportDropped = createDropReporter()

  function start(event: ResponseStart): void {
    if (started) return
    started = true
    events.push(event)
  }
  return {
    start,
    emit(event: CanonicalEvent): void {
      // Some providers omit the start event.
      if (!started) start({ type: 'response-start' })
      events.push(event)
    },
    drop(name: string): void {
      events.push(...reportDropped(name))
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
