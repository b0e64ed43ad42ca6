import { publish, tokens, users, type Db } from '@tidegate/storage'
import { endAccess } from '../auth/sessions/sessions.ts'
import { forgetSecondFactors } from '../auth/two-factor/factors.ts'

/**
 * Marks an account as gone and takes every key to it away. The row, its logs and its entries stay: the name remains
 * taken and the books remain explained. Every node forgets its tokens with the commit.
 */
export async function deregister(transaction: Db, userId: number, at: Date): Promise<void> {
  await users.change(transaction, userId, { deleted_at: at })
  await endAccess(transaction, userId)
  await forgetSecondFactors(transaction, userId)
  await tokens.removeAllOf(transaction, userId, at)
  await publish(transaction, { kind: 'caller', userId })
}
