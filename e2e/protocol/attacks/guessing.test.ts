import { describe, it } from 'vitest'
import { enumerate } from '../../scenarios/attacks/enumeration.ts'
import { guess } from '../../scenarios/attacks/brute-force.ts'
import { attackedSite, expectRefused, PATIENT } from './use-attack-site.ts'

const site = attackedSite()

describe('whoever guesses', PATIENT, () => {
  it('hears from no answer whether an account or an address exists (enumeration of users)', async () => {
    expectRefused(await enumerate(site()), 6)
  })

  it('has to wait after a few passwords, codes of any kind or links, from one address or from many (brute force)', async () => {
    expectRefused(await guess(site()), 30)
  })
})
