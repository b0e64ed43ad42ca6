import { identities, users, type Db } from '@tidegate/storage'

/** Who somebody is and what they have, without anything that opens the account. */
export async function profileOf(db: Db, userId: number): Promise<Record<string, unknown>> {
  const user = (await users.findById(db, userId))!
  const { password_hash: _hash, quota: _unleased, setting, ...profile } = user
  const { webhook_secret: _secret, ...settings } = setting
  return {
    ...profile,
    balance: await users.spendable(db, userId),
    setting: settings,
    sign_ins: await identities.listOf(db, userId),
  }
}
