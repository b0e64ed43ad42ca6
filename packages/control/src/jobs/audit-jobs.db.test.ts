import { readSettings } from '@tidegate/contract'
import { auditEvents, openVault } from '@tidegate/storage'
import { startWebhookReceiver, workerDatabase } from '@tidegate/testing'
import { createUpstreamClient } from '@tidegate/providers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { auditJobs } from './audit-jobs.ts'

it('seals events, logs the digest of a finished day and forwards sealed events', async () => {
  const { db, close } = await workerDatabase()
  const receiver = await startWebhookReceiver()
  const webhookClient = createUpstreamClient({ allowPrivateAddresses: true })
  onTestFinished(async () => {
    await webhookClient.close()
    await receiver.close()
    await close()
  })
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  let now = new Date('2030-03-01T10:00:00Z')
  const jobs = auditJobs({
    db,
    vault: openVault(new Uint8Array(32).fill(7)),
    catalog: () => ({ settings: readSettings(new Map([['audit.webhook_url', receiver.url]])) }) as never,
    log,
    now: () => now,
    site: { allowPrivateFetches: true } as never,
    webhookClient,
  })
  const runAll = async () => {
    for (const job of jobs) await job.run(new AbortController().signal)
  }

  await auditEvents.record(db, { actorId: 1, action: 'user.disable' })
  await runAll()
  now = new Date('2030-03-02T00:00:01Z')
  await runAll()

  expect(receiver.received.map(({ body }) => (JSON.parse(body) as { action: string }).action)).toEqual(['user.disable'])
  expect(log.info.mock.calls).toEqual([
    [
      { event: 'audit.digest', digest: expect.stringMatching(/^tidegate-audit-digest-v1 2030-03-01 - 1 1 \S+ \S+$/) },
      'audit digest signed',
    ],
  ])
})
