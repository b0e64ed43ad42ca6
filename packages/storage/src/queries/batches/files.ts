import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { FilePartTable, FileTable } from '../../schema/index.ts'
import { storableId } from '../responses/stored-responses.ts'

export type FileRow = Selectable<FileTable>
export type NewFile = Omit<Insertable<FileTable>, 'bytes' | 'is_complete'>

export interface ListOptions {
  readonly userId: number
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** Only rows behind the row with this id. */
  readonly after?: string | undefined
}

/** Adds a file without content. It is not visible until it is complete. */
export async function insert(db: Db, file: NewFile): Promise<void> {
  await db.insertInto('file').values(file).execute()
}

export async function addPart(db: Db, part: Insertable<FilePartTable>): Promise<void> {
  await db.insertInto('file_part').values(part).execute()
}

/** False, and without effect, if all files of the user would then have more than `limit` bytes. */
export async function complete(
  db: Db,
  { id, userId }: Pick<FileRow, 'id'> & { userId: number },
  {
    limit,
    ...details
  }: Pick<FileRow, 'bytes' | 'purpose' | 'filename' | 'mime_type' | 'expires_at'> & { limit: number },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Uploads of one user are completed one after the other, so that together they stay below the limit.
    await sql`select from "user" where id = ${userId} for no key update`.execute(transaction)
    const { numUpdatedRows } = await transaction
      .updateTable('file')
      .set({ is_complete: true, ...details })
      .where('id', '=', id)
      .where((eb) => eb(usedBytesOf(transaction, userId), '<=', limit - details.bytes))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

function usedBytesOf(db: Db, userId: number) {
  return db
    .selectFrom('file as used')
    .select(sql<number>`coalesce(sum(used.bytes), 0)::bigint`.as('bytes'))
    .where('used.user_id', '=', userId)
    .where('used.is_complete', '=', true)
}

/** The bytes of all complete files of a user. */
export async function usedBytes(db: Db, userId: number): Promise<number> {
  const { bytes } = await usedBytesOf(db, userId).executeTakeFirstOrThrow()
  return bytes
}

/** A complete file that has not expired. */
export function find(db: Db, userId: number, id: string): Promise<FileRow | undefined> {
  return db
    .selectFrom('file')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .where('is_complete', '=', true)
    .where(isKept)
    .executeTakeFirst()
}

/** One page of a user's files, by the time of their upload. */
export function list(
  db: Db,
  { userId, limit, order, after, purpose }: ListOptions & { readonly purpose?: string | undefined },
): Promise<FileRow[]> {
  const compare = order === 'asc' ? '>' : '<'
  return db
    .selectFrom('file')
    .selectAll()
    .where('user_id', '=', userId)
    .where('is_complete', '=', true)
    .where('is_listed', '=', true)
    .where(isKept)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose!))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) ${sql.raw(compare)} (select created_at, id from file
          where user_id = ${userId} and id = ${storableId(after!)})`,
      ),
    )
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

const isKept = sql<boolean>`(expires_at is null or expires_at > now())`

export async function readPart(db: Db, fileId: string, number: number): Promise<string | undefined> {
  const part = await db
    .selectFrom('file_part')
    .select('sealed')
    .where('file_id', '=', fileId)
    .where('number', '=', number)
    .executeTakeFirst()
  return part?.sealed
}

/** Whether there was one. */
export async function remove(db: Db, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('file')
    .where('user_id', '=', userId)
    .where('id', '=', storableId(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Removes at most `limit` files that expired, whose upload broke off before `abandoned`, or that belong to no batch.
 * Returns their number.
 */
export async function removeExpired(
  db: Db,
  { now, abandoned, limit }: { now: Date; abandoned: Date; limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from file where id in (
      select id from file where expires_at <= ${now} 
        or (not is_complete and created_at < ${abandoned})
        or (not is_listed and created_at < ${abandoned} and not exists (
          select from batch b where file.id in (b.input_file_id, b.output_file_id, b.error_file_id)
            and b.user_id = file.user_id))
      limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
