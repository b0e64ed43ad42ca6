import { ApiError } from '@tidegate/contract'
import { providerOf } from '@tidegate/providers'
import { channels } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { queryUpstream, parseResponse, UpstreamQueryError } from './query-upstream.ts'
import { findChannel } from '../channel.ts'
import { requireUpstream, providerAccount, type ProviderAccount } from '../destination.ts'

type BalanceDeps = Pick<Deps, 'db' | 'vault' | 'upstream' | 'now'>

/** More than any account holds; limit of the column. */
const LARGEST_BALANCE = 1e17

/** Queries and stores the balance of the channel's account (its first key). */
export async function refreshBalance(
  deps: BalanceDeps,
  id: number,
  signal?: AbortSignal,
): Promise<{ balance: number; key: string }> {
  const account = providerAccount(deps.vault, await findChannel(deps.db, id))
  const balance = await requestBalance(deps, account, signal)
  await channels.update(deps.db, [id], { balance: balance.toFixed(6), balance_updated_at: deps.now() })
  return { balance, key: account.key }
}

export function hasBalance(type: number): boolean {
  return providerOf(type).balance !== undefined
}

async function requestBalance(
  deps: Pick<Deps, 'upstream' | 'now'>,
  account: ProviderAccount,
  signal?: AbortSignal,
): Promise<number> {
  const { channel, key } = account
  const { balance } = providerOf(channel.type)
  if (!balance) throw new ApiError('balance_unsupported')
  const upstream = requireUpstream(deps)
  const authorization = balance.authorize?.(key)
  try {
    const responses: unknown[] = []
    for (const address of balance.steps) {
      const url = address(channel, responses, deps.now())
      responses.push(await queryUpstream(upstream, account, { url, authorization, signal }))
    }
    return parseResponse(() => checkAmount(balance.read(responses)))
  } catch (error) {
    if (error instanceof UpstreamQueryError)
      throw new ApiError('balance_failed', { reason: error.reason }, { cause: error })
    throw error
  }
}

function checkAmount(amount: number): number {
  if (!(Math.abs(amount) < LARGEST_BALANCE)) throw new RangeError('not a balance')
  return amount
}
