import { describe, it } from 'vitest'
import { enumerateAccounts } from '../../scenarios/attacks/enumeration.ts'
import { guessSecrets } from '../../scenarios/attacks/brute-force.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('guessing', PATIENT, () => {
  it('reveals in no response whether an account or an address exists (enumeration of users)', async () => {
    expectNoFailures(await enumerateAccounts(site()), 6)
  })

  it('is delayed after a few passwords, codes or links, from one address or from many (brute force)', async () => {
    expectNoFailures(await guessSecrets(site()), 30)
  })
})
