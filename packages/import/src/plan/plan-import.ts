import { ApiError, AUTO_GROUP, type Settings } from '@tidegate/contract'
import { priceOf } from '@tidegate/pricing'
import { loadSettings, type Db, type Vault } from '@tidegate/storage'
import type { ImportData } from '../model/import-data.ts'
import { clashesOf, type Report } from '../report.ts'
import { readObject } from '../sources/cells.ts'
import { compositeKey, ImportedIds, readExistingNames } from './site-state.ts'
import { planOptions, type PlannedOption } from './plan-options.ts'
import { planUsers } from './plan-users.ts'

/** The rows that must be loaded, and the IDs of those that were imported before. */
export interface ImportPlan extends ImportData {
  readonly options: readonly PlannedOption[]
  readonly imported: ImportedIds
}

interface PlanOptions {
  readonly source: string
  readonly skipClashes: boolean
  readonly report: Report
}

/** Compares the data with the site: leaves out what was imported before and reports conflicts. */
export async function planImport(
  { db, vault }: { db: Db; vault: Vault },
  data: ImportData,
  { source, skipClashes, report }: PlanOptions,
): Promise<ImportPlan> {
  const imported = await ImportedIds.of(db, source)
  const names = await readExistingNames(db)
  const clash = clashesOf(report, skipClashes)
  const left = (area: 'redemptions' | 'top_ups', reason: string, example: string) =>
    report.note(area, 'left', reason, example)

  const users = planUsers(data.users, { names, imported, vault, report, clash })
  const newUserIds = new Set(users.map(({ sourceId }) => sourceId))
  const isImported = (sourceId: string) => imported.has('user', sourceId) || newUserIds.has(sourceId)
  const plan: ImportPlan = {
    imported,
    users,
    tokens: data.tokens.filter(({ sourceId, ownerSourceId, key, columns }) => {
      if (imported.has('token', sourceId)) return false
      if (!isImported(ownerSourceId)) return false // the conflict of its owner is reported
      if (!names.tokenHashes.has(vault.keyedHash('token-hash', key))) return true
      clash('tokens', 'its key is in use here', `${columns.name} (${sourceId})`)
      return false
    }),
    channels: data.channels.filter(({ sourceId, columns: { name, type } }) => {
      if (imported.has('channel', sourceId)) return false
      if (!names.channels.has(compositeKey(name, type))) return true
      clash('channels', 'a channel from elsewhere has this name and type', `${name} (${sourceId})`)
      return false
    }),
    options: await planOptions(db, vault, data.options, report),
    redemptions: data.redemptions.filter(({ sourceId, columns: { key, name } }) => {
      if (imported.has('redemption', sourceId)) return false
      const isTaken = [key, ...vault.keyedHashes('redemption-code', key)].some((text) => names.redemptionKeys.has(text))
      if (isTaken) left('redemptions', 'its code exists here', `${name} (${sourceId})`)
      return !isTaken
    }),
    topUps: data.topUps.filter(({ sourceId, userSourceId, columns: { trade_no } }) => {
      if (imported.has('top_up', sourceId) || !isImported(userSourceId)) return false
      if (names.tradeNumbers.has(trade_no)) left('top_ups', 'its trade number exists here', trade_no)
      return !names.tradeNumbers.has(trade_no)
    }),
  }
  countPlanned(data, plan, report)
  reportUnpriced(plan, await settingsAfter(db, vault, plan), report)
  return plan
}

function countPlanned(data: ImportData, plan: ImportPlan, { counts }: Report): void {
  const { imported } = plan
  const countImported = (kind: Parameters<ImportedIds['has']>[0], rows: readonly { sourceId: string }[]) =>
    rows.filter(({ sourceId }) => imported.has(kind, sourceId)).length
  Object.assign(counts.users, { carried: plan.users.length, present: countImported('user', data.users) })
  Object.assign(counts.tokens, { carried: plan.tokens.length, present: countImported('token', data.tokens) })
  Object.assign(counts.channels, { carried: plan.channels.length, present: countImported('channel', data.channels) })
  Object.assign(counts.redemptions, {
    carried: plan.redemptions.length,
    present: countImported('redemption', data.redemptions),
  })
  Object.assign(counts.top_ups, { carried: plan.topUps.length, present: countImported('top_up', data.topUps) })
  counts.options.carried = plan.options.length
}

async function settingsAfter(db: Db, vault: Vault, { options }: ImportPlan): Promise<Settings> {
  const now = await loadSettings(db, vault)
  return { ...now, ...Object.fromEntries(options.map(({ key, value }) => [key, value])) }
}

/** Reports groups without a ratio and models without a price. */
function reportUnpriced(plan: ImportPlan, settings: Settings, report: Report): void {
  const { GroupRatio } = settings
  const isGroup = (name: string) => name === '' || name === AUTO_GROUP || Object.hasOwn(GroupRatio, name)
  const reason = 'its group has no ratio'
  for (const { columns, sourceId } of plan.users) {
    if (!isGroup(columns.group)) report.note('users', 'changed', reason, `${columns.username} (${sourceId})`)
  }
  for (const { columns, sourceId } of plan.tokens) {
    if (!isGroup(columns.group)) report.note('tokens', 'changed', reason, `${columns.name} (${sourceId})`)
  }
  const unpriced = plan.channels.flatMap(({ columns }) => {
    const mapping = readObject(columns.model_mapping) ?? {}
    return columns.models.split(',').filter((model) => {
      const target = mapping[model]
      return !hasPrice(settings, model, typeof target === 'string' ? target : model)
    })
  })
  for (const model of new Set(unpriced)) report.note('channels', 'changed', 'a model has no price', model)
}

function hasPrice(settings: Settings, modelName: string, upstreamName: string): boolean {
  try {
    priceOf(settings, { modelName, upstreamName, group: 'default', acceptUnset: false })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'model_price_error') return false
    throw error
  }
}
