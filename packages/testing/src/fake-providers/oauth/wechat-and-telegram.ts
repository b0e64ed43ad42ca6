import { createHash, createHmac, randomInt } from 'node:crypto'
import { type FakeService, startJsonServer } from './json-server.ts'

export interface FakeWeChatHelper extends FakeService {
  /** Issues a code for this WeChat id; valid once. */
  issue(openId: string): string
}

/** The helper server of a WeChat account, which resolves codes to ids. */
export async function startFakeWeChatHelper(token: string): Promise<FakeWeChatHelper> {
  const waiting = new Map<string, string>()

  const server = await startJsonServer((call) => {
    if (call.method !== 'GET' || call.path !== '/api/wechat/user') return { status: 404 }
    if (call.headers.authorization !== token) return { status: 401, json: { success: false, message: 'bad token' } }
    const code = call.query['code'] ?? ''
    const data = waiting.get(code) ?? ''
    waiting.delete(code)
    return { json: { success: true, message: '', data } }
  })
  return {
    ...server,
    issue(openId) {
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      waiting.set(code, openId)
      return code
    },
  }
}

/** Data of the Telegram widget, signed as by Telegram. */
export function signTelegram(
  botToken: string,
  fields: { id: string; auth_date: string } & Record<string, string>,
): Record<string, string> {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(botToken).digest()
  const hash = createHmac('sha256', key).update(lines.toSorted().join('\n')).digest('hex')
  return { ...fields, hash }
}
