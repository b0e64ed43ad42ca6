import { ApiError } from '@tidegate/contract'
import { EgressError, requireEgressUnresolved, resolveEgress } from '@tidegate/providers'
import { addressOfChannel } from './destination.ts'
import type { StoredChannel } from './channel.ts'
import { proxyOf } from './provider-target.ts'

/**
 * Rejects a channel that requests could not be sent through: its host, or its proxy, is not in the egress allow list.
 * Connections are checked again when they are made.
 */
export async function checkEgress(channel: Pick<StoredChannel, 'type' | 'base_url' | 'setting'>): Promise<void> {
  const address = addressOfChannel(channel)
  const proxy = proxyOf(channel.setting)
  await refuseEgress(async () => {
    if (proxy !== undefined) requireEgressUnresolved(proxy)
    if (address === '') return
    if (proxy === undefined) await resolveEgress(new URL(address).hostname)
    else requireEgressUnresolved(address)
  })
}

/** The same for an address that is called directly. */
export async function checkEgressOf(address: string): Promise<void> {
  await refuseEgress(() => resolveEgress(new URL(address).hostname))
}

async function refuseEgress(check: () => Promise<unknown>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new ApiError('egress_not_allowed', { host: error.host }, { cause: error })
  }
}
