import { Refusal, type Quota } from '@tidegate/contract'
import type { Grant } from '../admit/grant.ts'
import type { Call } from '../ingress/call.ts'
import type { Ports } from '../ports.ts'

/** What keeps the grant from holding `needed`: too little credit, or books that cannot be asked. */
export async function shortageOf(grant: Grant, needed: Quota): Promise<Refusal | undefined> {
  try {
    const short = await grant.extend(needed)
    return short && new Refusal(short, { needed })
  } catch (error) {
    // What was sent must be billed all the same, as far as it is held.
    return error instanceof Refusal ? error : new Refusal('settlement_unavailable', {}, { cause: error })
  }
}

/** The credit outlives a failure to give it back; the client's answer must not change for it. */
export async function release(
  { log }: Pick<Ports, 'log'>,
  grant: Grant,
  { requestId }: Pick<Call, 'requestId'>,
): Promise<void> {
  try {
    await grant.release()
  } catch (error) {
    log.error({ err: error, requestId }, 'reserved credit could not be released')
  }
}
