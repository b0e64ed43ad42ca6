import type { FileStore, StoredFile } from '@tidegate/gateway'
import { FileContentWriter, files, readContent, type Db, type FileRow, type Vault } from '@tidegate/storage'

interface FileStoreDeps {
  /** For queries that a client waits for. */
  readonly db: Db
  /** For writes. */
  readonly recordsDb: Db
  readonly vault: Pick<Vault, 'seal' | 'open'>
}

/** Stores files in the database, compressed and encrypted. */
export function createFileStore({ db, recordsDb, vault }: FileStoreDeps): FileStore {
  return {
    async create({ id, userId, tokenId, isListed = true }) {
      const createdAt = new Date()
      await files.insert(recordsDb, {
        id,
        user_id: userId,
        token_id: tokenId,
        purpose: '',
        filename: '',
        mime_type: '',
        is_listed: isListed,
        created_at: createdAt,
      })
      const content = new FileContentWriter({ db: recordsDb, vault }, id)
      return {
        write: (part) => content.write(part),
        async complete(details, limitBytes) {
          await content.flush()
          const { bytes } = content
          const isStored = await files.complete(
            recordsDb,
            { id, userId },
            {
              purpose: details.purpose,
              filename: details.filename,
              mime_type: details.mimeType,
              expires_at: details.expiresAt ?? null,
              bytes,
              limit: limitBytes,
            },
          )
          return isStored ? { id, bytes, createdAt, ...details } : undefined
        },
        async discard() {
          await files.remove(recordsDb, userId, id)
        },
      }
    },
    async find(userId, id) {
      const row = await files.find(db, userId, id)
      return row && toFile(row)
    },
    async list(page) {
      return (await files.list(db, page)).map(toFile)
    },
    read: (id) => readContent({ db, vault }, id),
    remove: (userId, id) => files.remove(recordsDb, userId, id),
    usedBytes: (userId) => files.usedBytes(db, userId),
  }
}

function toFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    filename: row.filename,
    mimeType: row.mime_type,
    purpose: row.purpose,
    bytes: row.bytes,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
  }
}
