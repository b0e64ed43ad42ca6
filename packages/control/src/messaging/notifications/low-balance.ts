import { type LocalizedText, type Settings, logEvent } from '@tidegate/contract'
import { type LowBalance, lowBalances, messages, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { type LocalizedNotification, LINK_PARAGRAPH, notificationSettings } from './notification.ts'
import { localize, notifyUser } from '../outbox/enqueue.ts'

/** Users warned per run; the rest follow in the next. */
const BATCH_SIZE = 500

/**
 * Warns each user once when settled requests brought the balance below the threshold, and again after it recovered. It
 * reads settled balances, so a crash loses no warning. Returns the number of marked users.
 */
export async function warnLowBalances(
  deps: Pick<Deps, 'db' | 'catalog' | 'log' | 'site'>,
  hours: number,
): Promise<number> {
  await lowBalances.clearRecovered(deps.db, hours)
  let marked = 0
  for (const userId of await lowBalances.findUnmarked(deps.db, hours, BATCH_SIZE)) {
    try {
      if (await warn(deps, userId)) marked += 1
    } catch (error) {
      // The mark rolled back with the transaction; the next run tries again.
      logEvent(deps.log, 'notification.low_balance_failed', { err: error, userId })
    }
  }
  return marked
}

/** Mark and notification commit together, so exactly one worker warns. */
function warn({ db, catalog, site }: Pick<Deps, 'db' | 'catalog' | 'site'>, userId: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const low = await lowBalances.mark(transaction, userId)
    const user = low && (await users.findById(transaction, userId))
    if (!user) return false
    const notification = lowBalanceNotification(catalog().settings, low)
    const { title } = localize(notification, notificationSettings(user).language)
    const { count, minutes } = site.notificationLimit
    // Repeated warnings of a balance around the threshold are suppressed.
    const isQuiet = count > 0 && (await messages.countRecent(transaction, { userId, title, minutes })) >= count
    if (!isQuiet) await notifyUser(transaction, user, notification)
    return true
  })
}

type MoneySettings = Pick<Settings, 'QuotaPerUnit' | 'DisplayInCurrencyEnabled' | 'ServerAddress'>

/** Notification about a low balance. */
export function lowBalanceNotification(
  settings: MoneySettings,
  { left, threshold }: LowBalance,
): LocalizedNotification {
  const line = amountText(settings, threshold)
  const wallet = walletLink(settings)
  return {
    type: 'quota_exceed',
    title: { zh: '余额不足提醒', en: 'Your balance is running low' },
    content: {
      zh: `{{value}}\n\n剩余额度：{{value}}\n\n${LINK_PARAGRAPH}`,
      en: `{{value}}\n\nLeft: {{value}}\n\n${LINK_PARAGRAPH}`,
    },
    values: [
      {
        zh: `你的剩余额度已低于提醒额度 ${line.zh}。额度用完后请求会被拒绝，请及时充值。`,
        en: `Your balance has fallen below ${line.en}, where you want to be warned. Requests are rejected once it is used up.`,
      },
      amountText(settings, left),
      wallet,
      wallet,
    ],
  }
}

/** A relative link without a site address works only in the console. */
function walletLink({ ServerAddress }: Pick<Settings, 'ServerAddress'>): string {
  return `${ServerAddress.replace(/\/+$/, '')}/app/wallet`
}

function amountText({ QuotaPerUnit, DisplayInCurrencyEnabled }: MoneySettings, quota: number): LocalizedText {
  if (!DisplayInCurrencyEnabled) return { zh: `${quota} 点`, en: `${quota} points` }
  const dollars = Math.abs(quota) / QuotaPerUnit
  // Two decimals would show small amounts as zero.
  const text = `${quota < 0 ? '-' : ''}$${dollars.toFixed(dollars > 0 && dollars < 0.01 ? 6 : 2)}`
  return { zh: text, en: text }
}
