import { isIP } from 'node:net'
import { AUTO_GROUP, MAX_QUOTA } from '@tidegate/contract'
import type { Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import { count, flag, integer, MAX_INTEGER, splitList, text, unixTime } from '../sources/cells.ts'
import type { Row, Source } from '../sources/source.ts'
import type { ImportToken } from './import-data.ts'

const NEVER = -1

/** Tokens whose owners are imported. */
export async function readTokens(
  source: Source,
  product: Product,
  report: Report,
  owners: ReadonlySet<string>,
): Promise<ImportToken[]> {
  const tokens: ImportToken[] = []
  for await (const row of source.rows('tokens')) {
    report.counts.tokens.found += 1
    const token = readToken(row, product, report, owners)
    if (token) tokens.push(token)
  }
  return tokens
}

function readToken(
  row: Row,
  { name: product, tokenColumns, autoGroups }: Product,
  report: Report,
  owners: ReadonlySet<string>,
): ImportToken | undefined {
  const name = text(row, 'name').trim() || 'token'
  const note = (outcome: 'left' | 'changed', reason: string) =>
    report.note('tokens', outcome, reason, `${name} (${text(row, 'id')})`)
  const key = text(row, 'key').trim().replace(/^sk-/, '')
  const balance = integer(row, 'remain_quota')

  if (row.deleted_at) return note('left', 'deleted in the source')
  if (!owners.has(text(row, 'user_id'))) return note('left', 'its owner is not imported')
  if (key === '' || /\s/.test(key)) return note('left', 'key is blank or contains spaces')
  if (balance === undefined || Math.abs(balance) > MAX_QUOTA) return note('left', 'balance cannot be read')
  if (key.includes('-'))
    note('changed', 'the key contains "-", which selects a channel here: requests with it are rejected')

  const unlimited = flag(row, 'unlimited_quota')
  if (balance < 0 && !unlimited) note('changed', 'negative balance is kept: requests are rejected until it is raised')
  const models = splitList(text(row, tokenColumns.models))
  const group = text(row, 'group').trim()
  if (group === AUTO_GROUP && autoGroups === undefined) {
    note('changed', `group auto does not exist in ${product}: uses its owner's group`)
  }
  return {
    sourceId: text(row, 'id'),
    ownerSourceId: text(row, 'user_id'),
    key,
    balance,
    columns: {
      name,
      status: [1, 2, 3, 4].includes(count(row, 'status')) ? count(row, 'status') : 2,
      created_at: unixTime(row, 'created_time') ?? undefined,
      accessed_at: unixTime(row, 'accessed_time'),
      expires_at: count(row, 'expired_time') === NEVER ? null : (unixTime(row, 'expired_time') ?? new Date(0)),
      used_quota: Math.max(0, count(row, 'used_quota')),
      unlimited_quota: unlimited,
      model_limits_enabled: tokenColumns.modelsEnabled ? flag(row, tokenColumns.modelsEnabled) : models.length > 0,
      model_limits: models.join(','),
      allow_ips: readAddresses(text(row, tokenColumns.addresses), note),
      group: group === AUTO_GROUP && autoGroups === undefined ? '' : group,
      ...readRateLimit(row),
    },
  }
}

/** Keeps invalid lines, because without them the token would be open to every address. */
function readAddresses(written: string, note: (outcome: 'changed', reason: string) => void): string {
  const lines = written
    .split(/[\n,]/)
    .map((line) => line.replace(/\s/g, ''))
    .filter((line) => line !== '')
  if (!lines.every(isAddress)) note('changed', 'an allowed address cannot be read: no request matches it')
  return lines.join('\n')
}

function isAddress(line: string): boolean {
  const [address = '', bits] = line.split('/')
  const maxBits = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
}

/** Only Veloera has rate limits per token. */
function readRateLimit(row: Row) {
  return {
    rate_limit_enabled: flag(row, 'rate_limit_enabled'),
    rate_limit_period: integerOr(row, ['rate_limit_period', 'frequency'], 60),
    rate_limit_count: integerOr(row, ['rate_limit_count', 'limit'], 1000),
    rate_limit_success: integerOr(row, ['rate_limit_success', 'successful_limit'], 10),
  }
}

function integerOr(row: Row, columns: readonly string[], fallback: number): number {
  const column = columns.find((name) => row[name] !== undefined && row[name] !== null)
  const value = column === undefined ? fallback : count(row, column)
  return value >= 0 && value <= MAX_INTEGER ? value : fallback
}
