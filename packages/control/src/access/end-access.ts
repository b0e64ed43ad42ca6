import { automationTokens, sessions, type Db } from '@tidegate/storage'

/**
 * Ends what a user, or whoever has stolen from them, could go on with: all sessions and automation tokens. For a new
 * password and a ban; a token made with the old password must not outlive it.
 */
export async function endAccess(transaction: Db, userId: number): Promise<void> {
  await sessions.removeAllOf(transaction, userId)
  await automationTokens.removeAllOf(transaction, userId)
}
