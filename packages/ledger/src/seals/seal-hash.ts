import type { Selectable } from 'kysely'
import type { LedgerSealTable, Vault } from '@tidegate/storage'

export type Seal = Selectable<LedgerSealTable>

/** The hash that the first seal names as its predecessor. */
export const CHAIN_START = ''

/** Keyed, so that database access without the site's secret is not enough to write a seal. */
export function sealHash(vault: Pick<Vault, 'keyedHash'>, seal: Omit<Seal, 'hash'>): string {
  return vault.keyedHash('ledger-seal', sealedText(seal))
}

/** With the key that was in use when the seal was written. */
export function isSealAuthentic(vault: Pick<Vault, 'matches'>, seal: Seal): boolean {
  return vault.matches('ledger-seal', sealedText(seal), seal.hash)
}

function sealedText(seal: Omit<Seal, 'hash'>): string {
  const { id, source, row_count, amount, requests, measured, content_hash, previous_hash, sealed_at } = seal
  const fields = [
    id,
    source,
    row_count,
    amount,
    requests,
    measured,
    content_hash,
    previous_hash,
    sealed_at.toISOString(),
  ]
  return JSON.stringify(fields)
}
