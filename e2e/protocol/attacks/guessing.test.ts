import { describe, it } from 'vitest'
import { enumerateAccounts } from '../../scenarios/attacks/enumeration.ts'
import { guessSecrets } from '../../scenarios/attacks/brute-force.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('whoever guesses', PATIENT, () => {
  it('hears from no answer whether an account or an address exists (enumeration of users)', async () => {
    expectNoFailures(await enumerateAccounts(site()), 6)
  })

  it('has to wait after a few passwords, codes of any kind or links, from one address or from many (brute force)', async () => {
    expectNoFailures(await guessSecrets(site()), 30)
  })
})
