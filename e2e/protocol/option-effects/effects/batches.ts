import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'

/** The status of an upload of two megabytes. */
async function uploadStatus({ url, member }: EffectSite): Promise<number> {
  const body = new FormData()
  body.set('purpose', 'user_data')
  body.set('file', new Blob([new Uint8Array(2 * 1024 * 1024)]), 'notes.bin')
  const headers = { authorization: `Bearer ${member.keys.default}` }
  return (await fetch(`${url}/v1/files`, { method: 'POST', headers, body })).status
}

/** How long an uploaded file is kept, in days. */
async function keptDays({ url, member }: EffectSite): Promise<number | null> {
  const body = new FormData()
  body.set('purpose', 'user_data')
  body.set('file', new Blob(['text']), 'notes.txt')
  const headers = { authorization: `Bearer ${member.keys.default}` }
  const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body })
  const { created_at: createdAt, expires_at: expiresAt } = (await response.json()) as Record<string, number>
  return expiresAt === undefined ? null : Math.round((expiresAt - createdAt!) / 86_400)
}

const testedByRun = { testedBy: 'packages/gateway/src/batches/run-batches.test.ts' }

export const batchEffects = {
  'files.max_megabytes': { value: '1', probe: uploadStatus, before: 200, after: 413 },
  'files.user_megabytes': { value: '1', probe: uploadStatus, before: 200, after: 403 },
  'files.retention_days': { value: '7', probe: keptDays, before: 30, after: 7 },
  'batches.concurrency': testedByRun,
  'batches.batch_concurrency': testedByRun,
} satisfies Rows
