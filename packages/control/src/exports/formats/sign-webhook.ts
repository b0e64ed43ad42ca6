import { createHmac } from 'node:crypto'

/** Headers of the Standard Webhooks specification. `id` is the same for every attempt. */
export function standardWebhookHeaders(
  { id, secret, body }: { id: string; secret: string; body: string },
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secret !== '' && { 'webhook-signature': `v1,${signature}` }),
  }
}

/** Secrets with this prefix are base64, as libraries for these webhooks expect. */
const PREFIX = 'whsec_'

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
}
