import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** A transaction whose last queries travel together. */
export interface Pipeline {
  send<Row>(query: RawBuilder<Row>): Promise<QueryResult<Row>>
  /**
   * Sends all queries and the commit at once. The server runs them in this order and does not wait for this process in
   * between, so locks last no longer when the process is busy. If a query fails, nothing is committed.
   */
  commit(queries: readonly RawBuilder<unknown>[]): Promise<QueryResult<unknown>[]>
}

/** Runs work in a transaction that is rolled back unless the work commits it. */
export function inPipeline<Result>(db: Db, work: (pipeline: Pipeline) => Promise<Result>): Promise<Result> {
  return db.getExecutor().provideConnection(async (connection) => {
    const send = <Row>(query: RawBuilder<Row>) => connection.executeQuery<Row>(query.compile(db))
    let isOpen = true
    try {
      await send(sql`begin`)
      return await work({
        send,
        async commit(queries) {
          isOpen = false
          const sent = await Promise.allSettled([...queries, sql`commit`].map(send))
          return sent.map((result) => {
            if (result.status === 'rejected') throw result.reason
            return result.value
          })
        },
      })
    } finally {
      // The server rolls back by itself if the connection was lost.
      if (isOpen) await send(sql`rollback`).catch(() => {})
    }
  })
}
