import { randomBytes } from 'node:crypto'
import type { DialectId } from '@tidegate/dialects'
import type { StoredFile } from '../ports/index.ts'

/** An id in the form of the client's protocol. */
export function newFileId(dialect: DialectId): string {
  return isAnthropic(dialect) ? `file_${randomId()}` : `file-${randomId()}`
}

/** Cannot be guessed. */
export function randomId(): string {
  return randomBytes(16).toString('hex')
}

export function isAnthropic(dialect: DialectId): boolean {
  return dialect === 'anthropic-messages'
}

export function showFile(dialect: DialectId, file: StoredFile): object {
  const { id, filename, mimeType, bytes, createdAt, expiresAt, purpose } = file
  if (isAnthropic(dialect)) {
    return {
      id,
      type: 'file',
      filename,
      mime_type: mimeType,
      size_bytes: bytes,
      created_at: createdAt.toISOString(),
      downloadable: true,
      expires_at: expiresAt?.toISOString() ?? null,
    }
  }
  return {
    id,
    object: 'file',
    bytes,
    created_at: unixSeconds(createdAt),
    ...(expiresAt && { expires_at: unixSeconds(expiresAt) }),
    filename,
    purpose,
    status: 'processed',
    status_details: null,
  }
}

export function deletedFile(dialect: DialectId, id: string): object {
  return isAnthropic(dialect) ? { id, type: 'file_deleted' } : { id, object: 'file', deleted: true }
}

export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
