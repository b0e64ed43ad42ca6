import { describe, it } from 'vitest'
import { attackFromElsewhere, readEverything } from '../../scenarios/attacks/cross-site.ts'
import { assignEverything } from '../../scenarios/attacks/mass-assignment.ts'
import { reachUpwards } from '../../scenarios/attacks/role-escalation.ts'
import { ROUTES } from '../../scenarios/attacks/support/routes.ts'
import { attackedSite, expectRefused, PATIENT } from './use-attack-site.ts'

const site = attackedSite()

/** Roles and owners at every call are tested in `packages/control/test/role-matrix.db.test.ts`. */
describe('every call of the contract', PATIENT, () => {
  it('refuses what a page of another site can send with the cookie (cross-site requests)', async () => {
    expectRefused(await attackFromElsewhere(site()), ROUTES.length * 3)
  })

  it('changes nothing when it only reads', async () => {
    expectRefused(await readEverything(site()), 200)
  })

  it('takes no field that is not the sender’s to set (mass assignment of role and quota)', async () => {
    expectRefused(await assignEverything(site()), 60)
  })

  it('keeps administrators from users of their own role or a higher one (rising in rank)', async () => {
    expectRefused(await reachUpwards(site()), 30)
  })
})
