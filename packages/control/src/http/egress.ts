import { ApiError } from '@tidegate/contract'
import { EgressError, resolveEgress } from '@tidegate/providers'

/** Rejects an address that the egress allow list does not contain. */
export async function requireEgressAllowed(address: string): Promise<void> {
  await withEgressErrors(() => resolveEgress(new URL(address).hostname))
}

export async function withEgressErrors(check: () => Promise<unknown>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new ApiError('egress_not_allowed', { host: error.host }, { cause: error })
  }
}
