import { ROLES } from '@tidegate/contract'
import { type Db, importedRows } from '@tidegate/storage'

/** Names in use on this site, which imported rows cannot have. */
export interface ExistingNames {
  readonly usernames: ReadonlySet<string>
  readonly emails: ReadonlySet<string>
  readonly inviteCodes: ReadonlySet<string>
  readonly identities: ReadonlySet<string>
  readonly accessTokens: ReadonlySet<string>
  readonly tokenHashes: ReadonlySet<string>
  readonly channels: ReadonlySet<string>
  /** Hashes of codes, and plain codes of earlier versions that are not sealed yet. */
  readonly redemptionKeys: ReadonlySet<string>
  readonly tradeNumbers: ReadonlySet<string>
  readonly hasRoot: boolean
}

/** Joins parts into one key. */
export function compositeKey(...parts: readonly (string | number)[]): string {
  return parts.join('\n')
}

export async function readExistingNames(db: Db): Promise<ExistingNames> {
  const users = await db.selectFrom('user').select(['username', 'email', 'aff_code', 'role', 'deleted_at']).execute()
  const live = users.filter(({ deleted_at }) => deleted_at === null)
  const identities = await db.selectFrom('identity').select(['provider', 'issuer', 'subject']).execute()
  const accessTokens = await db.selectFrom('access_token').select('hash').execute()
  const tokens = await db.selectFrom('token').select('hash').execute()
  const channels = await db.selectFrom('channel').select(['name', 'type']).execute()
  const redemptions = await db.selectFrom('redemption').select(['key', 'key_hash']).execute()
  const topUps = await db.selectFrom('top_up').select('trade_no').execute()
  return {
    usernames: new Set(users.map(({ username }) => username.toLowerCase())),
    emails: new Set(live.flatMap(({ email }) => (email === '' ? [] : email.toLowerCase()))),
    inviteCodes: new Set(users.map(({ aff_code }) => aff_code)),
    identities: new Set(identities.map(({ provider, issuer, subject }) => compositeKey(provider, issuer, subject))),
    accessTokens: new Set(accessTokens.map(({ hash }) => hash)),
    tokenHashes: new Set(tokens.map(({ hash }) => hash)),
    channels: new Set(channels.map(({ name, type }) => compositeKey(name, type))),
    redemptionKeys: new Set(redemptions.map(({ key, key_hash }) => key ?? key_hash!)),
    tradeNumbers: new Set(topUps.map(({ trade_no }) => trade_no)),
    hasRoot: live.some(({ role }) => role === ROLES.root),
  }
}

export type Kind = 'user' | 'token' | 'channel' | 'redemption' | 'top_up' | 'log'

/** IDs of the rows that were imported from a source. */
export class ImportedIds {
  readonly #ids = new Map<string, number>()

  static async of(db: Db, source: string): Promise<ImportedIds> {
    const imported = new ImportedIds()
    for (const { kind, source_id, target_id } of await importedRows.listOf(db, source)) {
      imported.add(kind as Kind, source_id, target_id)
    }
    return imported
  }

  add(kind: Kind, sourceId: string, id: number): void {
    this.#ids.set(`${kind} ${sourceId}`, id)
  }

  idOf(kind: Kind, sourceId: string): number | undefined {
    return this.#ids.get(`${kind} ${sourceId}`)
  }

  has(kind: Kind, sourceId: string): boolean {
    return this.#ids.has(`${kind} ${sourceId}`)
  }
}
