import { describe, it } from 'vitest'
import { reachForOthersThings } from '../../proof/attacks/foreign-objects.ts'
import { reachUpwards } from '../../proof/attacks/ranks.ts'
import { judgeRoles } from '../../proof/attacks/role-verdicts.ts'
import { ROUTES } from '../../proof/attacks/routes.ts'
import { attackedSite, expectRefused, PATIENT } from './attacked-site.ts'

const CALLERS = 14
const site = attackedSite()

describe('every call of the contract', PATIENT, () => {
  it('lets in whom its declared access names, and nobody else (broken access control)', async () => {
    expectRefused(await judgeRoles(site()), ROUTES.length * CALLERS)
  })

  it('neither shows nor changes what belongs to another user (things of others by their id)', async () => {
    expectRefused(await reachForOthersThings(site()), 500)
  })

  it('keeps administrators from users of their own role or a higher one (rising in rank)', async () => {
    expectRefused(await reachUpwards(site()), 30)
  })
})
