import { clickHouseReceiver, connectClickHouse, shipParcels } from '@tidegate/storage'
import type { Db, LogRow } from '../books.ts'

/** Sends what a stopped site has left in its outbox, and returns the charged rows that ClickHouse has. */
export async function rowsOfClickHouse(db: Db, url: string): Promise<LogRow[]> {
  const clickhouse = connectClickHouse({ url, timeoutMs: 30_000 })
  try {
    const { signal } = new AbortController()
    const receiver = clickHouseReceiver(clickhouse)
    while ((await shipParcels({ db, receiver, rowsPerSecond: Infinity, signal })) > 0);
    const rows = await clickhouse.rows<Omit<LogRow, 'other'> & { other: string }>({
      texts: [
        `select request_id, quota, prompt_tokens, completion_tokens, is_stream, other from usage_log
        where request_id != '' and type = 2`,
      ],
      values: [],
    })
    return rows.map((row) => ({ ...row, other: JSON.parse(row.other) as LogRow['other'] }))
  } finally {
    await clickhouse.close()
  }
}
