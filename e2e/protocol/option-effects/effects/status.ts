import { api } from '@tidegate/contract'
import type { Effect } from '../effect.ts'
import { newVisitor } from '../anonymous-client.ts'

/** An option that the console reads from the status of the site. */
export function inStatus<Field extends keyof api.Status>(
  field: Field,
  value: string,
  before: api.Status[Field],
  after: api.Status[Field],
): Effect {
  return { value, probe: async (site) => (await newVisitor(site).call(api.getStatus))[field], before, after }
}
