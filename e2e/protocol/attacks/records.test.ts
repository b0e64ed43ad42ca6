import { describe, it } from 'vitest'
import { searchForSecrets } from '../../scenarios/attacks/canary-secrets.ts'
import { poisonRecords } from '../../scenarios/attacks/poisoned-records.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('what is kept and told of calls', PATIENT, () => {
  it('holds no secret: neither answers, nor rows for users, nor the log, nor the figures (secrets in errors)', async () => {
    expectNoFailures(await searchForSecrets(site(), { rounds: 1 }), 200)
  })

  it('cannot be kept from the database by what a client or a vendor says', async () => {
    expectNoFailures(await poisonRecords(site()), 500)
  })
})
