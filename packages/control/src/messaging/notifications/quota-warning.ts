import type { Phrase, Settings } from '@tidegate/contract'
import type { LowBalance } from '@tidegate/storage'
import { LINK, type BilingualNotice } from './notification.ts'

type MoneySettings = Pick<Settings, 'QuotaPerUnit' | 'DisplayInCurrencyEnabled' | 'ServerAddress'>

/** What a user is told whose balance has become low. */
export function quotaWarning(settings: MoneySettings, { left, threshold }: LowBalance): BilingualNotice {
  const line = amountText(settings, threshold)
  const wallet = walletLink(settings)
  return {
    type: 'quota_exceed',
    title: { zh: '余额不足提醒', en: 'Your balance is running low' },
    content: {
      zh: `{{value}}\n\n剩余额度：{{value}}\n\n${LINK}`,
      en: `{{value}}\n\nLeft: {{value}}\n\n${LINK}`,
    },
    values: [
      {
        zh: `您的剩余额度已低于提醒额度 ${line.zh}。额度用完后请求会被拒绝，请及时充值。`,
        en: `Your balance has fallen below ${line.en}, where you want to be warned. Calls are refused once it is used up.`,
      },
      amountText(settings, left),
      wallet,
      wallet,
    ],
  }
}

/** Without an address of the site it leads somewhere only inside the console. */
function walletLink({ ServerAddress }: Pick<Settings, 'ServerAddress'>): string {
  return `${ServerAddress.replace(/\/+$/, '')}/app/wallet`
}

function amountText({ QuotaPerUnit, DisplayInCurrencyEnabled }: MoneySettings, quota: number): Phrase {
  if (!DisplayInCurrencyEnabled) return { zh: `${quota} 点`, en: `${quota} points` }
  const dollars = Math.abs(quota) / QuotaPerUnit
  // Two digits would call the last half cent nothing at all.
  const text = `${quota < 0 ? '-' : ''}$${dollars.toFixed(dollars > 0 && dollars < 0.01 ? 6 : 2)}`
  return { zh: text, en: text }
}
