import { accessTokens, automationTokens, sessions, type Db } from '@tidegate/storage'

/**
 * Ends every credential that administers an account: sessions, the system access token and automation tokens. For a new
 * password, a ban, another role and signing out everywhere. API tokens stay: they only call models, and have an end of their
 * own. The notice of the ended sessions cuts what these credentials have opened, on every node.
 */
export async function endAccess(transaction: Db, userId: number): Promise<void> {
  await sessions.removeAllOf(transaction, userId)
  await accessTokens.remove(transaction, userId)
  await automationTokens.removeAllOf(transaction, userId)
}
