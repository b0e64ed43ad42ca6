import type { Language, LocalizedText } from '@tidegate/contract'
import { failureText } from '../messaging/outbox/delivery-result.ts'

/** Texts of errors that only exports have, or that differ from those of notifications. */
const FAILURES: Readonly<Record<string, LocalizedText>> = {
  log_removed: {
    zh: '对应的日志已被清理，或已不在导出范围内',
    en: 'The log rows were removed, or are not exported any more.',
  },
  timeout: { zh: '对方 20 秒内没有应答', en: 'There was no response within 20 seconds.' },
  redirected: {
    zh: '对方要求跳转到其他地址（{status}），导出不会跟随跳转',
    en: 'The response was a redirect ({status}), which exports do not follow.',
  },
  address_invalid: { zh: '不允许导出到该地址', en: 'Exports to this address are not allowed.' },
  rejected: { zh: '对方接收了请求，但拒绝了其中的记录', en: 'The receiver accepted the request, but not its records.' },
}

export function exportErrorText(code: string, status: number | null, language: Language): string {
  const text = FAILURES[code]
  if (code === '' || !text) return code === '' ? '' : failureText(code, status, language)
  return text[language].replace('{status}', String(status ?? ''))
}
