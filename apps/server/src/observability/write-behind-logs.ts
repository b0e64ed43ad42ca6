import { stripNul } from '@tidegate/contract'
import type { ErrorRow, Gateway, Ports } from '@tidegate/gateway'
import { channelMinutes, chatContents, jsonText, writeBehind, type Db, type LogStore } from '@tidegate/storage'
import { writeBehindShadow } from './write-behind-shadow.ts'
import type { ServerNode } from '../process/node.ts'

const CHANNEL_METRICS_MS = 5_000
const APPEND_MS = 60_000
/** Maximum number of chat contents waiting for the database: they are large and may be lost. */
const MAX_WAITING_CONTENTS = 500

/** Writes failed attempts, channel metrics, chat contents and shadow rows behind. They may be lost with the process. */
export function writeBehindLogs({ storage, log }: Pick<ServerNode, 'storage' | 'log'>) {
  const { db } = storage.database
  const logs = storage.logs.at(db, APPEND_MS)
  const errors = writeBehind<ErrorRow>({ name: 'failed attempts', log, write: (rows) => writeErrors(logs, rows) })
  const minutes = writeBehind<ReturnType<Gateway['takeMetrics']>[number]>({
    name: 'channel minutes',
    log,
    write: (rows) => channelMinutes.add(db, rows),
  })
  const contents = writeBehind<ChatContentRow>({
    name: 'chat contents',
    log,
    max: MAX_WAITING_CONTENTS,
    write: (rows) => writeContents(db, rows),
  })
  const shadow = writeBehindShadow({ storage, log })
  let timer: NodeJS.Timeout | undefined
  const takeChannelMetrics = (gateway: Gateway) => gateway.takeMetrics().forEach((row) => minutes.add(row))

  return {
    recordError: (row: ErrorRow) => errors.add(row),
    recordContent: (row: ChatContentRow) => contents.add(row),
    recordShadow: shadow.record,
    queues: () => ({
      errors: errors.metrics(),
      channel_minutes: minutes.metrics(),
      chat_contents: contents.metrics(),
      shadow_calls: shadow.metrics(),
    }),
    /** Starts to collect channel metrics of the gateway periodically. */
    start(gateway: Gateway) {
      timer = setInterval(() => {
        takeChannelMetrics(gateway)
        gateway.countRejections()
      }, CHANNEL_METRICS_MS)
      timer.unref()
    },
    async stop(gateway: Gateway) {
      clearInterval(timer)
      takeChannelMetrics(gateway)
      gateway.countRejections(true)
      await Promise.all([errors.stop(), minutes.stop(), contents.stop(), shadow.stop()])
    },
  }
}

type ChatContentRow = Parameters<NonNullable<Ports['recordContent']>>[0]

async function writeContents(db: Db, rows: readonly ChatContentRow[]): Promise<void> {
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

async function writeErrors(logs: LogStore, rows: readonly ErrorRow[]): Promise<void> {
  await logs.append(
    rows.map((row) => ({
      created_at: row.createdAt,
      type: row.type,
      user_id: row.userId,
      username: row.username,
      token_id: row.tokenId,
      token_name: row.tokenName,
      model_name: stripNul(row.modelName),
      use_time_ms: row.useTimeMs,
      is_stream: row.isStream,
      channel_id: row.channelId,
      group: row.group,
      client_ip: row.clientIp,
      request_id: row.requestId,
      content: stripNul(row.content),
      other: jsonText(row.other),
    })),
  )
}
