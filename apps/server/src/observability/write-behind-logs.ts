import { withoutZeros } from '@tidegate/contract'
import type { ErrorRow, Gateway, Ports } from '@tidegate/gateway'
import { channelMinutes, chatContents, jsonText, usageLogs, writeBehind, type Db } from '@tidegate/storage'
import { keepShadow } from './write-behind-shadow.ts'
import type { Node } from '../process/node.ts'

const TALLY_MS = 5_000
/** Words of calls that wait for the database: they are large, and may be lost. */
const MOST_CONTENTS = 500

/** What the data plane wants remembered that nobody pays for: failed attempts, and how channels did. */
export function keepRecords({ storage, log }: Pick<Node, 'storage' | 'log'>) {
  const { db } = storage.database
  const errors = writeBehind<ErrorRow>({ name: 'failed attempts', log, write: (rows) => writeErrors(db, rows) })
  const minutes = writeBehind<ReturnType<Gateway['takeTally']>[number]>({
    name: 'channel minutes',
    log,
    write: (rows) => channelMinutes.add(db, rows),
  })
  const contents = writeBehind<KeptContent>({
    name: 'words of calls',
    log,
    most: MOST_CONTENTS,
    write: (rows) => writeContents(db, rows),
  })
  const shadow = keepShadow({ storage, log })
  let tally: NodeJS.Timeout | undefined
  const take = (gateway: Gateway) => gateway.takeTally().forEach((row) => minutes.add(row))

  return {
    recordError: (row: ErrorRow) => errors.add(row),
    recordContent: (row: KeptContent) => contents.add(row),
    recordShadow: shadow.record,
    queues: () => ({
      errors: errors.figures(),
      channel_minutes: minutes.figures(),
      words: contents.figures(),
      shadow_calls: shadow.figures(),
    }),
    /** From now on the gateway's tally is fetched now and then. */
    follow(gateway: Gateway) {
      tally = setInterval(() => {
        take(gateway)
        gateway.countRejections()
      }, TALLY_MS)
      tally.unref()
    },
    async stop(gateway: Gateway) {
      clearInterval(tally)
      take(gateway)
      gateway.countRejections(true)
      await Promise.all([errors.stop(), minutes.stop(), contents.stop(), shadow.stop()])
    },
  }
}

type KeptContent = Parameters<NonNullable<Ports['recordContent']>>[0]

async function writeContents(db: Db, rows: readonly KeptContent[]): Promise<void> {
  await chatContents.insert(
    db,
    rows.map((row) => ({
      request_id: row.requestId,
      user_id: row.userId,
      system_prompt: row.systemPrompt,
      context: row.context,
      input_content: row.input,
      output_content: row.output,
    })),
  )
}

async function writeErrors(db: Db, rows: readonly ErrorRow[]): Promise<void> {
  await usageLogs.insertFree(
    db,
    rows.map((row) => ({
      created_at: row.createdAt,
      type: row.type,
      user_id: row.userId,
      username: row.username,
      token_id: row.tokenId,
      token_name: row.tokenName,
      model_name: withoutZeros(row.modelName),
      use_time_ms: row.useTimeMs,
      is_stream: row.isStream,
      channel_id: row.channelId,
      group: row.group,
      client_ip: row.clientIp,
      request_id: row.requestId,
      content: withoutZeros(row.content),
      other: jsonText(row.other),
    })),
  )
}
