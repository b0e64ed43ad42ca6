import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import type { TestSite } from './start-site.ts'

export const TEXT = { title: 'High tide', content: 'Mind the *quay*.' }

/** Inserts users without logins; returns their ids in order. */
export async function addUsers({ db }: Pick<TestSite, 'db'>, count: number, group = 'default'): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into "user" (username, display_name, aff_code, "group")
    select name, name, name, ${group} from (select gen_random_uuid()::text as name from generate_series(1, ${count})) n
    returning id`.execute(db)
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}

/** Recipients of a message, ordered by id. */
export async function recipientsOf({ db }: Pick<TestSite, 'db'>, messageId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('message_recipient')
    .select('user_id')
    .where('message_id', '=', messageId)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Follows the unread count of a client: all counts in order, and whether the server ended the stream. */
export async function followUnread(client: ApiClient) {
  const response = await client.open(api.followUnreadCount)
  const counts: number[] = []
  const state = { response, counts, isOver: false, leave: () => reader.cancel() }
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let text = ''; ;) {
      const { done, value } = await reader.read()
      if (done) break
      const events = (text + value).split('\n\n')
      text = events.pop()!
      for (const event of events) {
        if (event.startsWith('data: ')) counts.push(JSON.parse(event.slice(6)).unread_count)
      }
    }
    state.isOver = true
  }
  void read().catch(() => (state.isOver = true))
  return state
}
