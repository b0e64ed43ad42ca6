import { api, type OptionKey } from '@tidegate/contract'
import { newAnonymousClient } from './anonymous-client.ts'
import type { EffectSite, Options } from './effect-site.ts'

/** What an option changes, and how to observe it. */
export interface Effect {
  /** Options that must be set first, in this order. */
  readonly given?: Options | ((site: EffectSite) => Options)
  readonly value: string | ((site: EffectSite) => string)
  /** Observes the effect on the node where the option was not set. It may run several times. */
  readonly probe: (site: EffectSite) => Promise<unknown>
  readonly before: unknown
  readonly after: unknown
}

/** An option that the specification only requires to be stored, and where it says so. */
export interface StoredOnly {
  readonly storedOnly: string
}

/** An option that only a job reads, and the test of that job. Starting a worker for each takes seconds. */
interface TestedElsewhere {
  readonly testedBy: string
}

export type Row = Effect | StoredOnly | TestedElsewhere
export type Rows = Partial<Record<OptionKey, Row>>

export function isEffect(row: Row): row is Effect {
  return 'probe' in row
}

/** An option that the console reads from the site status. */
export function inStatus<Field extends keyof api.Status>(
  field: Field,
  value: string,
  before: api.Status[Field],
  after: api.Status[Field],
): Effect {
  return { value, probe: async (site) => (await newAnonymousClient(site).call(api.getStatus))[field], before, after }
}
