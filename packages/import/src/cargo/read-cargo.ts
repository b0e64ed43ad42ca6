import { DEFAULT_QUOTA_PER_UNIT } from '@tidegate/contract'
import type { Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import type { Source } from '../source/source.ts'
import type { Cargo } from './cargo.ts'
import { readChannels } from './read-channels.ts'
import { readOptions } from './read-options.ts'
import { readRedemptions } from './read-redemptions.ts'
import { readTokens } from './read-tokens.ts'
import { readTopUps } from './read-top-ups.ts'
import { readUsers } from './read-users.ts'

/** Everything of a database but its log, in the words of this product; what cannot come is in the report. */
export async function readCargo(source: Source, product: Product, report: Report): Promise<Cargo> {
  const users = await readUsers(source, product, report)
  const owners = new Set(users.map(({ sourceId }) => sourceId))
  const options = await readOptions(source, product, report)
  const perUnit = options.find(({ key }) => key === 'QuotaPerUnit')
  const quotaPerUnit = perUnit ? Number(perUnit.text) : DEFAULT_QUOTA_PER_UNIT
  return {
    users,
    options,
    tokens: await readTokens(source, product, report, owners),
    channels: await readChannels(source, product, report),
    redemptions: await readRedemptions(source, report),
    topUps: await readTopUps(source, report, { owners, quotaPerUnit }),
  }
}
