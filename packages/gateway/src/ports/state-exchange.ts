/** A change of routing state. Newer changes with the same topic and id replace older ones. */
export interface StateChange {
  readonly topic: 'circuit' | 'caller-cooldown' | 'conversation' | 'stored-response'
  readonly id: string
  readonly value: unknown
  /** When the change has no effect any more, in milliseconds since 1970; 0 when it undoes an earlier one. */
  readonly expiresAt: number
}

/** Shares routing state with the other gateways of the site. Values are copied. */
export interface StateExchange {
  /** Must not block. */
  publish(change: StateChange): void
  /** Called with changes that other gateways published. */
  subscribe(topic: StateChange['topic'], apply: (id: string, value: never) => void): void
}
