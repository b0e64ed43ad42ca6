import { api, ROLES } from '@tidegate/contract'
import type { Deps } from '../../deps.ts'
import { createToken } from '../../tokens/create-token.ts'

/** A first API token for somebody who has just registered. Without it the account stands all the same. */
export async function giveDefaultToken(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'log'>,
  id: number,
  username: string,
): Promise<void> {
  const owner = { id, username, role: ROLES.user, group: 'default', settingsAreas: [], sessionHash: undefined }
  try {
    await createToken(deps, owner, api.NewToken.parse({ name: username, unlimited_quota: true }))
  } catch (error) {
    deps.log.error({ err: error, userId: id }, 'the first token of a new user could not be made')
  }
}
