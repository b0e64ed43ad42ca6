import { describe, it } from 'vitest'
import { sendCrossSiteRequests, checkReadsHaveNoEffect } from '../../scenarios/attacks/cross-site.ts'
import { assignProtectedFields } from '../../scenarios/attacks/mass-assignment.ts'
import { escalateRole } from '../../scenarios/attacks/role-escalation.ts'
import { ROUTES } from '../../scenarios/attacks/support/routes.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

/** `packages/control/test/role-matrix.db.test.ts` tests roles and owners for every endpoint. */
describe('every endpoint', PATIENT, () => {
  it('rejects what a page of another site can send with the cookie (cross-site requests)', async () => {
    expectNoFailures(await sendCrossSiteRequests(site()), ROUTES.length * 3)
  })

  it('changes nothing when it only reads', async () => {
    expectNoFailures(await checkReadsHaveNoEffect(site()), 200)
  })

  it('ignores fields that the caller must not set (mass assignment of role and quota)', async () => {
    expectNoFailures(await assignProtectedFields(site()), 60)
  })

  it('keeps administrators from users of the same or a higher role (role escalation)', async () => {
    expectNoFailures(await escalateRole(site()), 30)
  })
})
