import { api } from '@tidegate/contract'
import { channels } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { disableChannel } from '../status.ts'
import { inSiteLanguage } from '../../messaging/notifications/notify-root.ts'
import { hasBalance, refreshBalance } from '../probe/refresh-balance.ts'
import type { SweepPlan } from './sweep.ts'

type BalanceDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp' | 'now' | 'upstream'>

/** Asks for the balance of every channel in use whose vendor tells it; an empty account goes out of use. */
export function planBalances(deps: BalanceDeps): SweepPlan {
  return {
    kind: 'balance',
    async items() {
      const states = await channels.listStates(deps.db, [api.CHANNEL_STATUS.enabled])
      return states.filter(({ type }) => hasBalance(type))
    },
    async visit({ id }, signal) {
      const { balance, key } = await refreshBalance(deps, id, signal)
      if (balance <= 0 && deps.catalog().settings.AutomaticDisableChannelEnabled) {
        await disableChannel(deps, { channelId: id, key, reason: EMPTY, evenIfKept: true })
      }
      return true
    },
  }
}

const EMPTY = inSiteLanguage({ zh: '余额已用尽', en: 'the balance is used up' })
