import type { api, Language, LocalizedText } from '@tidegate/contract'
import type { DeliveryRow } from '@tidegate/storage'

/** Result of one delivery attempt. */
export interface DeliveryAttempt {
  /** Blank on success. */
  error: FailureCode | ''
  /** A retry would fail the same way. */
  isFinal?: boolean
  /** HTTP status and beginning of the response, if any. */
  responseStatus?: number
  responseBody?: string
  /** When the receiver wants the next attempt. */
  retryAfterSeconds?: number
}

/** Delays before the second and further attempts, for mails, webhooks and pushes. */
export const RETRY_SECONDS: readonly number[] = [10, 60, 300]

/** Seconds until the next attempt; undefined after a success and after the last attempt. `attempts` includes this one. */
export function retryDelay(
  { error, isFinal }: DeliveryAttempt,
  attempts: number,
  delays = RETRY_SECONDS,
): number | undefined {
  return error === '' || isFinal ? undefined : delays[attempts - 1]
}

/** Failure texts for users; rows store the code, so the language can be chosen later. */
const FAILURES = {
  interrupted: { zh: '发送过程被中断', en: 'Sending was interrupted.' },
  address_invalid: {
    zh: '地址必须以 https:// 开头，且指向公网的 443 端口',
    en: 'It must be an https:// address on port 443 of the public internet.',
  },
  private_address: { zh: '该地址指向内网，拒绝访问', en: 'The address leads into a private network.' },
  egress_not_allowed: {
    zh: '管理员不允许连接该地址',
    en: 'The operator of this site does not allow connections to the address.',
  },
  unreachable: { zh: '无法连接到该地址', en: 'The address cannot be reached.' },
  timeout: { zh: '对方 5 秒内没有应答', en: 'There was no response within 5 seconds.' },
  redirected: {
    zh: '对方要求跳转到其他地址（{status}），通知不会跟随跳转',
    en: 'The response was a redirect ({status}), which notifications do not follow.',
  },
  refused: { zh: '对方返回 HTTP {status}', en: 'The response was HTTP {status}.' },
  mail_not_configured: { zh: '邮件服务器未配置', en: 'No mail server is configured.' },
  mail_failed: { zh: '邮件服务器未能接收邮件', en: 'The mail server did not accept the mail.' },
  mail_refused: { zh: '邮件服务器拒收该邮件', en: 'The mail server rejected the mail.' },
  subscription_gone: { zh: '该设备已不再接收推送通知', en: 'The device no longer receives push notifications.' },
  account_gone: { zh: '账号已注销', en: 'The account was deregistered.' },
} as const satisfies Record<string, LocalizedText>

type FailureCode = keyof typeof FAILURES

export function failureText(code: string, status: number | null, language: Language): string {
  if (!Object.hasOwn(FAILURES, code)) return code
  return FAILURES[code as FailureCode][language].replace('{status}', String(status ?? ''))
}

export function deliveryView(row: DeliveryRow, language: Language): api.Delivery {
  return {
    id: row.id,
    kind: row.kind,
    type: row.type,
    title: row.title,
    target: row.target,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    response_body: row.response_body,
    error: row.error === '' ? '' : failureText(row.error, row.response_status, language),
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
