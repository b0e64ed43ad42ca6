import { api } from '@tidegate/contract'
import { until } from '../../../scenarios/until.ts'
import { ask, rowOf } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../site.ts'
import { inStatus } from './status.ts'
import { FAILING, PLAIN } from '../channels.ts'

/** Rows that nobody pays for are written a second behind their call. */
const WRITTEN_BEHIND_MS = 1_500

/** Whether a call is in the log, once it is in the books. */
async function isLogged(site: EffectSite): Promise<boolean> {
  const used = async () => (await site.member.client.call(api.getSelf)).used_quota
  const before = await used()
  const { requestId } = await ask(site, { model: PLAIN })
  await until(async () => (await used()) > before, 5_000)
  return (await rowOf(site, requestId, { withinMs: 0 })) !== undefined
}

/** What was said in a call, as far as it is kept. */
async function wordsKept(site: EffectSite): Promise<unknown> {
  const { requestId } = await ask(site, { model: PLAIN, text: 'Where is the anchor?' })
  const input = async () => (JSON.parse((await rowOf(site, requestId))?.other ?? '{}') as Words).input_content
  await until(async () => (await input()) !== undefined, WRITTEN_BEHIND_MS)
  return await input()
}

interface Words {
  input_content?: string
}

async function errorContent(site: EffectSite): Promise<unknown> {
  const { requestId, status } = await ask(site, { model: FAILING })
  const row = await rowOf(site, requestId, { type: api.LOG_TYPE.error, withinMs: WRITTEN_BEHIND_MS })
  return [status, row?.type]
}

async function hasOwnData({ member }: EffectSite): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000)
  const query = { start_timestamp: now - 86_400, end_timestamp: now + 3_600 }
  return (await member.client.call(api.getOwnData, { query })).length > 0
}

export const recordEffects = {
  LogConsumeEnabled: { value: 'false', probe: isLogged, before: true, after: false },
  LogChatContentEnabled: {
    value: 'true',
    probe: wordsKept,
    before: undefined,
    after: 'Where is the anchor?',
  },
  LogErrorEnabled: { value: 'false', probe: errorContent, before: [404, api.LOG_TYPE.error], after: [404, undefined] },
  DataExportEnabled: { value: 'false', probe: hasOwnData, before: true, after: false },
  DataExportDefaultTime: inStatus('data_export_default_time', 'week', 'hour', 'week'),
} satisfies Rows
