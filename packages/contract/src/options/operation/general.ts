import { choice, flag, integer, number } from '../define.ts'
import { link } from '../define-text.ts'

const general = { tab: 'operation', section: 'general' } as const

export const generalOptions = {
  /** Where users go to pay. */
  TopUpLink: link({ ...general, guard: 'reauth' }),
  'general_setting.docs_link': link(general),
  /** Language of errors and mails for callers without `Accept-Language`. `auto`: Chinese on /api, English on /v1. */
  'general_setting.default_language': choice(general, ['auto', 'zh', 'en'], 'auto'),
  QuotaPerUnit: number(general, 500_000, { above: 0 }),
  /** Used while automatic retry is off. */
  RetryTimes: integer(general, 2, { min: 0 }),
  DisplayInCurrencyEnabled: flag(general, true),
  DisplayTokenStatEnabled: flag(general, true),
  DefaultCollapseSidebar: flag(general, false),
  DemoSiteEnabled: flag(general, false),
  /** On: nobody can register. */
  SelfUseModeEnabled: flag({ ...general, guard: 'reauth' }, false),
}
