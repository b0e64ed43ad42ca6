import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { api } from '@tidegate/contract'
import { bringBack, takeAway } from '../behind-proxy.ts'
import { libraryOf } from '../faults/step-clock.ts'
import { MODEL } from '../site.ts'
import { until } from '../until.ts'
import { CLOSED_PORT, FAILING_MODELS, FREE_MODEL, type MonitoredSite, UNREACHABLE_MODEL } from './monitored-site.ts'

/** What causes alerts. `cause` returns what ends the condition. */
export interface Condition {
  readonly alerts: readonly string[]
  readonly shows: string
  cause(site: MonitoredSite): Promise<() => Promise<unknown> | void>
}

const CALLER_FAILURES = 60
const REQUESTS_OF_AN_OUTAGE = 10_000
const CONCURRENCY = 50
const RECORDED_WITHIN_MS = 20_000

export const CONDITIONS: readonly Condition[] = [
  {
    alerts: ['TidegateAuditForwardingBehind'],
    shows: 'the destination of audit events does not listen',
    async cause({ admin }) {
      const setUrl = (value: string) => admin.call(api.updateOption, { body: { key: 'audit.webhook_url', value } })
      await setUrl(`https://127.0.0.1:${CLOSED_PORT}/audit`)
      return () => setUrl('')
    },
  },
  {
    alerts: ['TidegateExportsBehind'],
    shows: 'an export destination of the site does not listen',
    async cause({ admin, chat }) {
      const body = { kind: 'webhook' as const, name: 'closed', url: `http://127.0.0.1:${CLOSED_PORT}/` }
      const { id } = await admin.call(api.createExport, { body })
      await chat(MODEL)
      return () => admin.call(api.deleteExport, { path: { id } })
    },
  },
  {
    alerts: ['TidegateUncovered'],
    shows: 'a provider ignores the output limit of an account with a small balance',
    async cause({ upstream, chat }) {
      upstream.next({ ignoresLimit: true, textLength: 40_000 })
      await chat(MODEL, { poor: true })
      return () => {}
    },
  },
  {
    alerts: ['TidegateImplausibleUsage'],
    shows: 'a provider reports 4e15 input tokens, once',
    async cause({ upstream, chat }) {
      upstream.next({ usage: { prompt_tokens: 4e15, completion_tokens: 3 } })
      await chat('gpt-4o')
      return () => {}
    },
  },
  {
    alerts: ['TidegateAuthFailures'],
    shows: `a user calls an endpoint of administrators ${CALLER_FAILURES} times`,
    async cause({ user }) {
      for (let call = 0; call < CALLER_FAILURES; call += 1) await user.send(api.listChannels)
      return () => {}
    },
  },
  {
    alerts: ['TidegateCallsFailing', 'TidegateChannelFailing'],
    shows: 'a provider returns 500 for all models',
    async cause({ upstream, chat }) {
      upstream.when(({ rawBody }) => rawBody.includes('"failing-'), { status: 500 })
      let next = 0
      return repeatedly(200, () => chat(FAILING_MODELS[next++ % FAILING_MODELS.length]!))
    },
  },
  {
    alerts: ['TidegateBreakersOpen'],
    shows: 'the address of a provider does not accept connections',
    cause: ({ chat }) => Promise.resolve(repeatedly(200, () => chat(UNREACHABLE_MODEL))),
  },
  {
    alerts: ['TidegateSlowFirstToken'],
    shows: 'streams wait 11 seconds for their first content',
    async cause({ upstream, chat }) {
      upstream.always({ firstEventAfterMs: 11_000 })
      const stop = repeatedly(250, () => chat(MODEL, { stream: true }))
      return async () => {
        await stop()
        upstream.reset()
      }
    },
  },
  {
    alerts: ['TidegateBooksStuck', 'TidegateJournalFilling', 'TidegateRecordsDropped', 'TidegateCatalogBehind'],
    shows: `the gateway loses PostgreSQL, serves ${REQUESTS_OF_AN_OUTAGE} requests, and an option changes`,
    async cause({ site, admin, chat, gatewayDatabase }) {
      await admin.call(api.updateOption, { body: { key: 'LogChatContentEnabled', value: 'true' } })
      const { db } = site.database
      const isRecorded = async () => {
        await chat(FREE_MODEL)
        return (await db.selectFrom('chat_content').select('request_id').limit(1).execute()).length > 0
      }
      if (!(await until(isRecorded, RECORDED_WITHIN_MS))) throw new Error('chat contents are not recorded')
      takeAway([gatewayDatabase])
      await admin.call(api.updateOption, { body: { key: 'SystemName', value: 'High water' } })
      for (let sent = 0; sent < REQUESTS_OF_AN_OUTAGE; sent += CONCURRENCY) {
        await Promise.all(Array.from({ length: CONCURRENCY }, () => chat(FREE_MODEL)))
      }
      return () => bringBack([gatewayDatabase])
    },
  },
  {
    alerts: ['TidegateJournalDisk'],
    shows: 'less than 256 MB are free on the disk of the gateway',
    async cause({ gatewayDirectory }) {
      const file = join(gatewayDirectory, 'other')
      await writeFile(file, Buffer.alloc(100 * 1024 ** 2))
      return () => rm(file)
    },
  },
  {
    alerts: ['TidegateLimitsNotShared'],
    shows: 'the gateway loses Redis',
    cause({ gatewayRedis }) {
      takeAway([gatewayRedis])
      return Promise.resolve(() => bringBack([gatewayRedis]))
    },
  },
  {
    alerts: ['TidegateApiSlow', 'TidegateWaitingForDatabase'],
    shows: 'PostgreSQL responds to control after 2 seconds',
    async cause({ admin, controlDatabase }) {
      controlDatabase.proxy.delayResponses(2_000)
      const stop = repeatedly(150, () => admin.open(api.listChannels).then((response) => response.text()))
      return async () => {
        controlDatabase.proxy.delayResponses(0)
        await stop()
      }
    },
  },
  {
    alerts: ['TidegateEventLoopBusy'],
    shows: 'the worker is stopped for 400 of every 600 milliseconds',
    async cause({ process: find }) {
      const { pid } = find('worker')
      const stop = repeatedly(600, async () => {
        process.kill(pid, 'SIGSTOP')
        await delay(400)
        process.kill(pid, 'SIGCONT')
      })
      return stop
    },
  },
  {
    alerts: ['TidegateDown'],
    shows: 'the worker is killed',
    async cause({ process: find, restart }) {
      await find('worker').kill()
      return () => restart('worker')
    },
  },
  {
    alerts: ['TidegateClockSkewed'],
    shows: 'the clock of the worker is 10 seconds ahead',
    async cause({ process: find, restart }) {
      await find('worker').stop()
      const library = await libraryOf('libfaketime.so.1')
      await restart('worker', { LD_PRELOAD: library, FAKETIME: '+10s', FAKETIME_DONT_FAKE_MONOTONIC: '1' })
      return async () => {
        await find('worker').stop()
        await restart('worker')
      }
    },
  },
]

/** Runs work at this interval, overlapping, until the returned function is called. */
function repeatedly(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  const open = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    const run = work().catch(() => {})
    open.add(run)
    void run.finally(() => open.delete(run))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
  }
}
