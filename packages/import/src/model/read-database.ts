import { AUTO_GROUP, DEFAULT_QUOTA_PER_UNIT } from '@tidegate/contract'
import type { Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import type { Source } from '../sources/source.ts'
import type { ImportData, ImportOption, ImportToken } from './import-data.ts'
import { readChannels } from './read-channels.ts'
import { readOptions } from './read-options.ts'
import { readRedemptions, readTopUps } from './read-wallet.ts'
import { readTokens } from './read-tokens.ts'
import { readUsers } from './read-users.ts'

/** Reads everything except the log and converts it. What cannot be imported is in the report. */
export async function readDatabase(source: Source, product: Product, report: Report): Promise<ImportData> {
  const users = await readUsers(source, product, report)
  const owners = new Set(users.map(({ sourceId }) => sourceId))
  const tokens = await readTokens(source, product, report, owners)
  const options = withAutoGroups(await readOptions(source, product, report), tokens, product, report)
  const perUnit = options.find(({ key }) => key === 'QuotaPerUnit')
  const quotaPerUnit = perUnit ? Number(perUnit.text) : DEFAULT_QUOTA_PER_UNIT
  return {
    users,
    options,
    tokens,
    channels: await readChannels(source, product, report),
    redemptions: await readRedemptions(source, report),
    topUps: await readTopUps(source, report, { owners, quotaPerUnit }),
  }
}

/** Tokens of the group `auto` also need the list of groups when the source uses its default, which is not stored. */
function withAutoGroups(
  options: readonly ImportOption[],
  tokens: readonly ImportToken[],
  { autoGroups }: Product,
  report: Report,
): readonly ImportOption[] {
  const isNeeded = tokens.some(({ columns }) => columns.group === AUTO_GROUP)
  if (!autoGroups || !isNeeded || options.some(({ key }) => key === 'AutoGroups')) return options
  report.note('options', 'changed', 'not set in the source: its default value applies', 'AutoGroups')
  return [...options, { key: 'AutoGroups', text: JSON.stringify(autoGroups) }]
}
