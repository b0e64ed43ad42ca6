import { ApiError } from '@tidegate/contract'
import { leadsInside } from '@tidegate/providers'
import type { SiteFacts } from '../../deps.ts'

const MAX_LENGTH = 2048

/**
 * An address that may be stored for a webhook. Where its name leads is checked again when it is called; this refuses at
 * once what can only lead inside.
 */
export function checkWebhookUrl(text: string, { allowPrivateFetches }: Pick<SiteFacts, 'allowPrivateFetches'>): string {
  const url = text.length > MAX_LENGTH ? null : URL.parse(text)
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  const open = url?.port === '' && !leadsInside(url.hostname)
  if (!plain || !(open || allowPrivateFetches)) throw new ApiError('webhook_invalid')
  return url.href
}

/** Goes into a header as it is. */
export function checkWebhookSecret(secret: string): string {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new ApiError('webhook_secret_invalid')
  return secret
}
