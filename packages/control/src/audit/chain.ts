import { createHash } from 'node:crypto'
import type { AuditDigest, AuditRecord, AuditSeal, ExportedRecord, Vault } from '@tidegate/storage'

/**
 * Event hashes have no key, so that an auditor can recompute an exported chain. Seals and digests are signed with the
 * site's secret, so that write access to the database is not enough to forge them.
 */
export type SigningVault = Pick<Vault, 'keyedHash'>
export type VerifyingVault = Pick<Vault, 'matches'>

/** Start value of a day's chain. It links the day to the end of the previous chain. */
export function dayStart(day: string, previousHead: string): string {
  return sha256(`tidegate-audit-day-v1 ${day} ${previousHead}`)
}

/** The event as one JSON object. This text is hashed and exported. */
export function eventText({ details, ...record }: AuditRecord): string {
  const { id, created_at, actor_id, token, action, subject, client_ip, request_id } = record
  const fields = JSON.stringify({ id, created_at, actor_id, token, action, subject, client_ip, request_id })
  return `${fields.slice(0, -1)},"details":${details}}`
}

export function linkHash(previousHash: string, contentHash: string): string {
  return sha256(previousHash + contentHash)
}

export function contentHash(record: AuditRecord): string {
  return sha256(eventText(record))
}

/**
 * A line of an export: the event with `seal` as its last member. Without `seal`, the line is the hashed text unless
 * `details` was replaced.
 */
export function exportLine(record: ExportedRecord, details = record.details): string {
  const { day, seal: number, previous_hash, hash } = record
  const seal = JSON.stringify({ day, number, content_hash: contentHash(record), previous_hash, hash })
  return `${eventText({ ...record, details }).slice(0, -1)},"seal":${seal}}`
}

export function signSeal(vault: SigningVault, seal: Omit<AuditSeal, 'signature'>): string {
  return vault.keyedHash('audit-seal', sealText(seal))
}

export function isSealAuthentic(vault: VerifyingVault, seal: AuditSeal): boolean {
  return vault.matches('audit-seal', sealText(seal), seal.signature)
}

export function signDigest(vault: SigningVault, digest: Omit<AuditDigest, 'signature'>): string {
  return vault.keyedHash('audit-digest', digestText(digest))
}

export function isDigestAuthentic(vault: VerifyingVault, digest: AuditDigest): boolean {
  return vault.matches('audit-digest', digestText(digest), digest.signature)
}

/** Formats a digest as one line, to be stored outside the database. */
export function formatAuditDigest(digest: AuditDigest): string {
  return `${digestText(digest)} ${digest.signature}`
}

/** Parses a line of `formatAuditDigest`, also inside a log line; undefined for other text. */
export function parseAuditDigest(line: string): AuditDigest | undefined {
  const match = DIGEST_LINE.exec(line)
  if (!match) return undefined
  const [, day, previousDay, seal, events, head, signature] = match
  return {
    day: day!,
    previous_day: previousDay === NO_DAY ? '' : previousDay!,
    seal: Number(seal),
    event_count: Number(events),
    head: head!,
    signature: signature!,
  }
}

const DIGEST_FORMAT = 'tidegate-audit-digest-v1'
const NO_DAY = '-'
const DIGEST_LINE =
  /tidegate-audit-digest-v1 (\d{4}-\d\d-\d\d) (-|\d{4}-\d\d-\d\d) (\d{1,15}) (\d{1,15}) ([0-9a-f]{64}) ([^\s"]+)/

function digestText({ day, previous_day, seal, event_count, head }: Omit<AuditDigest, 'signature'>): string {
  return [DIGEST_FORMAT, day, previous_day || NO_DAY, seal, event_count, head].join(' ')
}

function sealText(seal: Omit<AuditSeal, 'signature'>): string {
  const { id, day, event_count, day_events, previous_hash, head, sealed_at } = seal
  return JSON.stringify([id, day, event_count, day_events, previous_hash, head, sealed_at.toISOString()])
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
