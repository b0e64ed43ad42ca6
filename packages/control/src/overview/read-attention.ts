import { api } from '@tidegate/contract'
import { attention, lowBalances } from '@tidegate/storage'
import { failingRule } from '../channels/health/channel-states.ts'
import type { Deps } from '../deps.ts'
import { unpricedModels } from '../models/channel-models.ts'

/** Items of each kind. */
const SHOWN = 5
/** Users without requests for longer are not about to run out. */
const RECENT_HOURS = 24

type Kind = api.AttentionItem['kind']
type Section = api.Attention[number]

/** What an operator should look at. Kinds without items are left out. */
export async function readAttention({
  db,
  catalog,
  now,
}: Pick<Deps, 'db' | 'catalog' | 'now'>): Promise<api.Attention> {
  const [disabled, failing, balances, users] = await Promise.all([
    attention.autoDisabledChannels(db, SHOWN),
    attention.failingChannels(db, failingRule(now()), SHOWN),
    attention.lowChannelBalances(db, { below: api.LOW_CHANNEL_BALANCE, limit: SHOWN }),
    lowBalances.listRecent(db, { hours: RECENT_HOURS, limit: SHOWN }),
  ])
  const { settings } = catalog()
  const unpriced = unpricedModels(catalog()).map((model) => ({ model }))
  const sections: Readonly<Record<Kind, Section>> = {
    channel_failing: sectionOf('channel_failing', failing, ({ id, name, attempts, failed }) => ({
      channel_id: id,
      channel_name: name,
      attempts,
      failed,
    })),
    channel_auto_disabled: sectionOf('channel_auto_disabled', disabled, ({ id, name, reason, time }) => ({
      channel_id: id,
      channel_name: name,
      reason,
      ...(time !== null && { time }),
    })),
    model_unpriced: section('model_unpriced', unpriced, unpriced.length),
    channel_low_balance: sectionOf('channel_low_balance', balances, ({ id, name, balance, time }) => ({
      channel_id: id,
      channel_name: name,
      balance,
      time,
    })),
    user_low_balance: sectionOf('user_low_balance', users, ({ id, username, left, threshold }) => ({
      user_id: id,
      username,
      quota: left,
      limit: threshold,
    })),
    error_logging_off: optionSection('error_logging_off', 'LogErrorEnabled', !settings.LogErrorEnabled),
    retries_off: optionSection('retries_off', 'RetryTimes', settings.RetryTimes === 0),
  }
  return api.ATTENTION_KINDS.map((kind) => sections[kind]).filter(({ total }) => total > 0)
}

type Facts = Omit<api.AttentionItem, 'kind'>

function section(kind: Kind, facts: readonly Facts[], total: number): Section {
  return { kind, total, items: facts.slice(0, SHOWN).map((item) => ({ kind, ...item })) }
}

/** Rows that carry the length of their whole list. */
function sectionOf<Row extends { total: number }>(
  kind: Kind,
  rows: readonly Row[],
  factsOf: (row: Row) => Facts,
): Section {
  return section(kind, rows.map(factsOf), rows[0]?.total ?? 0)
}

function optionSection(kind: Kind, option: string, isOff: boolean): Section {
  return section(kind, isOff ? [{ option }] : [], isOff ? 1 : 0)
}
