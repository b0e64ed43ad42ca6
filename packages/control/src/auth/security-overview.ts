import { api, ApiError } from '@tidegate/contract'
import { identities, passkeys, recoveryCodes, totp, users } from '@tidegate/storage'
import { lacksSecondFactor } from './admin-policy.ts'
import { reauthenticatedUntil } from './reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { passkeyView } from './passkeys/passkeys.ts'
import { reauthMethodsOf } from './two-factor/factors.ts'

export async function readSecurityOverview(deps: Pick<Deps, 'db' | 'catalog'>, actor: Actor): Promise<api.Security> {
  const { db } = deps
  const user = await users.findById(db, actor.id)
  if (!user) throw new ApiError('user_not_found')
  const [factor, codesLeft, keys, bound, until, methods, missing] = await Promise.all([
    totp.find(db, user.id),
    recoveryCodes.countLeft(db, user.id),
    passkeys.listOf(db, user.id),
    identities.listOf(db, user.id),
    reauthenticatedUntil({ db }, actor),
    reauthMethodsOf(deps, user),
    lacksSecondFactor(deps, user),
  ])
  return {
    has_password: user.password_hash !== null,
    totp: factor?.enabled_at ? { enabled_at: factor.enabled_at.toISOString(), recovery_codes_left: codesLeft } : null,
    passkeys: keys.map(passkeyView),
    identities: bound.flatMap(({ provider, label, created_at }) => {
      const service = api.SIGN_IN_SERVICES.find((name) => name === provider)
      return service ? [{ service, label, bound_at: created_at.toISOString() }] : []
    }),
    reauth_methods: methods,
    proved_until: until?.toISOString() ?? null,
    second_factor_missing: missing,
  }
}
