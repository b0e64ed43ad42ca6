import { AUTO_GROUP, type Settings } from '@tidegate/contract'
import { loadSettings, type Db, type Vault } from '@tidegate/storage'
import type { Cargo } from '../model/import-data.ts'
import { clashesOf, type Report } from '../report.ts'
import { named, PresentRows, readSiteNames } from './site-state.ts'
import { weighOptions, type WeighedOption } from './plan-options.ts'
import { weighUsers } from './plan-users.ts'

/** What of a cargo has still to be loaded, and what is here of it. */
export interface Load extends Cargo {
  readonly options: readonly WeighedOption[]
  readonly present: PresentRows
}

interface WeighOrder {
  readonly source: string
  readonly skipClashes: boolean
  readonly report: Report
}

/** Holds a cargo against the site: what is here already is not loaded again, and what is in the way is noted. */
export async function weighCargo(
  { db, vault }: { db: Db; vault: Vault },
  cargo: Cargo,
  { source, skipClashes, report }: WeighOrder,
): Promise<Load> {
  const present = await PresentRows.of(db, source)
  const names = await readSiteNames(db)
  const clash = clashesOf(report, skipClashes)
  const left = (area: 'redemptions' | 'top_ups', reason: string, example: string) =>
    report.note(area, 'left', reason, example)

  const users = weighUsers(cargo.users, { names, present, vault, report, clash })
  const coming = new Set(users.map(({ sourceId }) => sourceId))
  const comes = (sourceId: string) => present.has('user', sourceId) || coming.has(sourceId)
  const load: Load = {
    present,
    users,
    tokens: cargo.tokens.filter(({ sourceId, ownerSourceId, key, columns }) => {
      if (present.has('token', sourceId)) return false
      if (!comes(ownerSourceId)) return false // its owner is the one in the way
      if (!names.tokenHashes.has(vault.keyedHash('token-hash', key))) return true
      clash('tokens', 'its key is in use here', `${columns.name} (${sourceId})`)
      return false
    }),
    channels: cargo.channels.filter(({ sourceId, columns: { name, type } }) => {
      if (present.has('channel', sourceId)) return false
      if (!names.channels.has(named(name, type))) return true
      clash('channels', 'a channel of this name and type did not come from this source', `${name} (${sourceId})`)
      return false
    }),
    options: await weighOptions(db, vault, cargo.options, report),
    redemptions: cargo.redemptions.filter(({ sourceId, columns: { key, name } }) => {
      if (present.has('redemption', sourceId)) return false
      const isTaken = [key, ...vault.keyedHashes('redemption-code', key)].some((text) => names.redemptionKeys.has(text))
      if (isTaken) left('redemptions', 'its code exists here', `${name} (${sourceId})`)
      return !isTaken
    }),
    topUps: cargo.topUps.filter(({ sourceId, userSourceId, columns: { trade_no } }) => {
      if (present.has('top_up', sourceId) || !comes(userSourceId)) return false
      if (names.tradeNumbers.has(trade_no)) left('top_ups', 'its trade number exists here', trade_no)
      return !names.tradeNumbers.has(trade_no)
    }),
  }
  countUp(cargo, load, report)
  noteUnknown(load, await settingsAfter(db, vault, load), report)
  return load
}

function countUp(cargo: Cargo, load: Load, { counts }: Report): void {
  const { present } = load
  const here = (kind: Parameters<PresentRows['has']>[0], rows: readonly { sourceId: string }[]) =>
    rows.filter(({ sourceId }) => present.has(kind, sourceId)).length
  Object.assign(counts.users, { carried: load.users.length, present: here('user', cargo.users) })
  Object.assign(counts.tokens, { carried: load.tokens.length, present: here('token', cargo.tokens) })
  Object.assign(counts.channels, { carried: load.channels.length, present: here('channel', cargo.channels) })
  Object.assign(counts.redemptions, {
    carried: load.redemptions.length,
    present: here('redemption', cargo.redemptions),
  })
  Object.assign(counts.top_ups, { carried: load.topUps.length, present: here('top_up', cargo.topUps) })
  counts.options.carried = load.options.length
}

async function settingsAfter(db: Db, vault: Vault, { options }: Load): Promise<Settings> {
  const now = await loadSettings(db, vault)
  return { ...now, ...Object.fromEntries(options.map(({ key, value }) => [key, value])) }
}

/** What works otherwise than it looks: groups without a ratio and models without a price. */
function noteUnknown(load: Load, { GroupRatio, ModelRatio, ModelPrice }: Settings, report: Report): void {
  const isGroup = (name: string) => name === '' || name === AUTO_GROUP || Object.hasOwn(GroupRatio, name)
  const reason = 'its group has no ratio'
  for (const { columns, sourceId } of load.users) {
    if (!isGroup(columns.group)) report.note('users', 'changed', reason, `${columns.username} (${sourceId})`)
  }
  for (const { columns, sourceId } of load.tokens) {
    if (!isGroup(columns.group)) report.note('tokens', 'changed', reason, `${columns.name} (${sourceId})`)
  }
  const models = new Set(load.channels.flatMap(({ columns }) => columns.models.split(',')))
  for (const model of models) {
    const priced = Object.hasOwn(ModelRatio, model) || Object.hasOwn(ModelPrice, model)
    if (!priced) report.note('channels', 'changed', 'a model has no price', model)
  }
}
