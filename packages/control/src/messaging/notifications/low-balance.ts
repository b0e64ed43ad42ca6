import { lowBalances, messages, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { inLanguage, tellUser } from './notify-user.ts'
import { noticeSettings } from './notification-settings.ts'
import { quotaWarning } from './quota-warning.ts'

/** How many are warned in one turn; the rest follow in the next. */
const AT_ONCE = 500

/**
 * Warns every user whom the calls of the last hours have brought below the threshold, once, and again only after the
 * balance was above it. It looks at what has been booked, by whichever process, so booking knows nothing of it and a
 * crash in between loses no warning. Says how many were marked.
 */
export async function warnOfLowBalances(
  deps: Pick<Deps, 'db' | 'catalog' | 'log' | 'site'>,
  hours: number,
): Promise<number> {
  await lowBalances.clearRisen(deps.db, hours)
  let marked = 0
  for (const userId of await lowBalances.findUnmarked(deps.db, hours, AT_ONCE)) {
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
    const notice = quotaWarning(catalog().settings, low)
    const { title } = inLanguage(notice, noticeSettings(user).language)
    const { count, minutes } = site.noticeLimit
    // A balance that swings around the threshold says no more at the third time than at the second.
    const isQuiet = count > 0 && (await messages.countTold(transaction, { userId, title, minutes })) >= count
    if (!isQuiet) await tellUser(transaction, user, notice)
    return true
  })
}
