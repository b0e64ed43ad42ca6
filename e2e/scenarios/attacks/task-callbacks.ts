import { addChannel } from '@tidegate/testing'
import { sql } from 'kysely'
import { sendRequest } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'

const IMAGE_TASK = 'mj_imagine'

/** Forges callbacks of an image task. All are ignored, and the task does not change. */
export async function forgeTaskCallbacks(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  await site.setOption('MjNotifyEnabled', 'true')
  await site.setOption('ServerAddress', site.url)
  await site.setOption('SelfUseModeEnabled', 'true')
  await addChannel(site.root.client, site.provider, { type: 2, models: IMAGE_TASK })
  site.provider.respondWith(() => ({
    body: JSON.stringify({ code: 1, description: 'ok', result: '1700000000000001' }),
  }))
  const submitted = await sendRequest(site.url, {
    method: 'POST',
    path: '/mj/submit/imagine',
    headers: { authorization: `Bearer ${site.user.apiKey}` },
    body: { prompt: 'a boat' },
  })
  findings.check(submitted.text.includes('"code":1'), () => `no image task was submitted: ${brief(submitted.text)}`)
  const tasks = async () => (await sql<{ id: number }>`select * from task order by id`.execute(site.database.db)).rows
  const before = await tasks()
  findings.check(before.length === 1, () => `there are ${before.length} tasks`)
  const id = String(before[0]?.id ?? 1)
  const callback = {
    id: '1700000000000001',
    status: 'FAILURE',
    failReason: 'forged',
    progress: '100%',
    imageUrl: 'https://evil.example/x.png',
  }
  const keys = ['', 'undefined', 'null', '0', 'a'.repeat(43), '%00', site.user.apiKey]
  for (const key of keys) {
    for (const task of [id, '0', '-1', '1e9', '99999999999999999999', '']) {
      const path = `/mj/notify?task=${task}&key=${key}`
      const response = await sendRequest(site.url, { method: 'POST', path, body: callback })
      const rejected = response.status >= 400 && response.status !== 500
      findings.check(rejected, () => `a forged callback gets ${response.status} ${brief(response.text)}`)
    }
  }
  const bare = await sendRequest(site.url, { method: 'POST', path: '/mj/notify', body: callback })
  findings.check(bare.status >= 400 && bare.status !== 500, () => `a callback without a task gets ${bare.status}`)
  const stored = JSON.stringify(await tasks())
  findings.check(!/forged|evil/.test(stored), () => `a forged callback is stored: ${brief(stored)}`)
  site.provider.respondWith(undefined)
  return findings
}
