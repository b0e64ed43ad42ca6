import type { Phrase, Settings } from '@tidegate/contract'
import { type LowBalance, lowBalances, messages, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { type LocalizedNotification, LINK_PARAGRAPH, notificationSettings } from './notification.ts'
import { localize, notifyUser } from './notify-user.ts'

/** How many are warned in one turn; the rest follow in the next. */
const BATCH_SIZE = 500

/**
 * Warns every user whom the calls of the last hours have brought below the threshold, once, and again only after the
 * balance was above it. It looks at what has been booked, by whichever process, so booking knows nothing of it and a
 * crash in between loses no warning. Says how many were marked.
 */
export async function warnLowBalances(
  deps: Pick<Deps, 'db' | 'catalog' | 'log' | 'site'>,
  hours: number,
): Promise<number> {
  await lowBalances.clearRisen(deps.db, hours)
  let marked = 0
  for (const userId of await lowBalances.findUnmarked(deps.db, hours, BATCH_SIZE)) {
    try {
      if (await warn(deps, userId)) marked += 1
    } catch (error) {
      // The mark went with the transaction: the next turn tries again, and this one goes on to the others.
      deps.log.error({ err: error, userId }, 'a user could not be warned of a low balance')
    }
  }
  return marked
}

/** The mark and the notice commit together, so of any number of workers one warns, and none warns in vain. */
function warn({ db, catalog, site }: Pick<Deps, 'db' | 'catalog' | 'site'>, userId: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const low = await lowBalances.mark(transaction, userId)
    const user = low && (await users.findById(transaction, userId))
    if (!user) return false
    const notification = lowBalanceNotification(catalog().settings, low)
    const { title } = localize(notification, notificationSettings(user).language)
    const { count, minutes } = site.noticeLimit
    // A balance that swings around the threshold says no more at the third time than at the second.
    const isQuiet = count > 0 && (await messages.countTold(transaction, { userId, title, minutes })) >= count
    if (!isQuiet) await notifyUser(transaction, user, notification)
    return true
  })
}

type MoneySettings = Pick<Settings, 'QuotaPerUnit' | 'DisplayInCurrencyEnabled' | 'ServerAddress'>

/** What a user is told whose balance has become low. */
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
