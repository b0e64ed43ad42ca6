import { createHash, createHmac } from 'node:crypto'

/** What the Telegram widget hands over for somebody, signed as Telegram signs it. */
export function signTelegram(
  botToken: string,
  fields: { id: string; auth_date: string } & Record<string, string>,
): Record<string, string> {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(botToken).digest()
  const hash = createHmac('sha256', key).update(lines.toSorted().join('\n')).digest('hex')
  return { ...fields, hash }
}
