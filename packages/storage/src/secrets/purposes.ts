/** Purposes of sealed values in the database. */
export type StoredPurpose =
  | 'channel-key'
  | 'token-key'
  | 'option'
  | 'webhook-secret'
  | 'auth-flow'
  | 'totp'
  | 'idempotent-answer'
  | 'redemption-code'
  | 'push-key'
  | 'push-subscription'
  | 'stored-response'
  | 'stored-response-event'
  | 'conversation'
  | 'conversation-item'
  | 'file-part'
  | 'batch-line'
  | 'export-secrets'

/** Purposes of sealed values. Snapshots are files, which are written again after a rotation. */
export type SealPurpose = StoredPurpose | 'snapshot'

/** Purposes of keyed hashes. */
export type HashPurpose =
  | 'channel-key'
  | 'token-hash'
  | 'session'
  | 'access-token'
  | 'setup-code'
  | 'mail-code'
  | 'human-pass'
  | 'device'
  | 'auth-flow'
  | 'recovery-code'
  | 'passkey-user'
  | 'automation-token'
  | 'redemption-code'
  | 'ledger-seal'
  | 'ledger-digest'
  | 'audit-seal'
  | 'audit-digest'
  | 'option-version'

/**
 * Which key of the ring hashes, and what happens to the hashes of a retired key:
 * - `first`: always the first key. Rows are found by the hash of a long random secret, which cannot be guessed even
 * with the key, and there is no copy to hash again.
 * - `kept`: the active key. The hash key of a retired key is kept, because its hashes cannot be made again.
 * - `rotated`: the active key. Hashes of a retired key are not accepted any more.
 */
export const HASH_KEYS: Record<HashPurpose, 'first' | 'kept' | 'rotated'> = {
  'channel-key': 'first',
  'token-hash': 'first',
  session: 'first',
  'access-token': 'first',
  'automation-token': 'first',
  'auth-flow': 'first',
  'passkey-user': 'first',
  'recovery-code': 'kept',
  'ledger-seal': 'kept',
  'ledger-digest': 'kept',
  'audit-seal': 'kept',
  'audit-digest': 'kept',
  'redemption-code': 'rotated',
  'setup-code': 'rotated',
  'mail-code': 'rotated',
  'human-pass': 'rotated',
  device: 'rotated',
  'option-version': 'rotated',
}

/** The purposes whose hash keys a retired key keeps. */
export const RETAINED_PURPOSES = (Object.keys(HASH_KEYS) as HashPurpose[]).filter(
  (purpose) => HASH_KEYS[purpose] !== 'rotated',
)
