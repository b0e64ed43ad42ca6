import type { StoredTask, TaskStore } from '@tidegate/gateway'
import { reportTask } from '@tidegate/ledger'
import type { TaskKind } from '@tidegate/providers'
import {
  channelKeyHash,
  isTaskToken,
  newTaskSecret,
  tasks,
  taskToken,
  type Db,
  type TaskRow,
  type Vault,
} from '@tidegate/storage'

interface TaskStoreDeps {
  /** For queries that a client waits for before a provider has accepted a task. */
  db: Db
  /** For records of accepted tasks, which are worth a longer wait. */
  recordsDb: Db
  vault: Vault
}

/** Stores tasks of the data plane in the database. */
export function createTaskStore({ db, recordsDb, vault }: TaskStoreDeps): TaskStore {
  const toStoredTask = (row: TaskRow): StoredTask => ({
    id: row.id,
    task: row.kind as TaskKind,
    userId: row.user_id,
    channelId: row.channel_id,
    upstreamId: row.vendor_id,
    action: row.action,
    model: row.model,
    status: row.status,
    progress: row.progress,
    prompt: row.prompt,
    failReason: row.fail_reason,
    resultUrl: row.result_url,
    properties: row.properties,
    data: row.data,
    submittedAt: row.submitted_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    viewToken: taskToken(row.secret, 'view'),
    isSubmittedWith: (key) => channelKeyHash(vault, key) === row.key_hash,
  })

  return {
    async open({ task, ...draft }) {
      const secret = newTaskSecret()
      const id = await tasks.insert(db, { ...draft, kind: task, secret })
      return { id, callbackToken: taskToken(secret, 'callback') }
    },
    async accept(id, { key, ...taken }) {
      await tasks.markSubmitted(recordsDb, id, { ...taken, keyHash: channelKeyHash(vault, key), status: 'SUBMITTED' })
    },
    reject: (id, why) => tasks.markRejected(recordsDb, id, why),
    async report(task, report) {
      await reportTask(recordsDb, task, report)
    },
    async findOwn({ task, ...query }) {
      return (await tasks.findOwn(db, { ...query, kind: task })).map(toStoredTask)
    },
    async listOwn({ task, ...query }) {
      return (await tasks.listOwn(db, { ...query, kind: task })).map(toStoredTask)
    },
    async findByCallback({ id, token }) {
      const row = await tasks.find(db, id)
      return row && isTaskToken(token, row.secret, 'callback') ? toStoredTask(row) : undefined
    },
    async findByView({ task, upstreamId, token }) {
      const rows = await tasks.findByUpstreamId(db, { kind: task, upstreamId })
      const row = rows.find(({ secret }) => isTaskToken(token, secret, 'view'))
      return row && toStoredTask(row)
    },
  }
}
