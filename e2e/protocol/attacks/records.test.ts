import { describe, it } from 'vitest'
import { searchForSecrets } from '../../scenarios/attacks/canary-secrets.ts'
import { poisonRecords } from '../../scenarios/attacks/poisoned-records.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('records of requests', PATIENT, () => {
  it('contain no secret: neither responses, rows for users, the log nor metrics (secrets in errors)', async () => {
    expectNoFailures(await searchForSecrets(site(), { rounds: 1 }), 200)
  })

  it('are written whatever a client or a provider sends', async () => {
    expectNoFailures(await poisonRecords(site()), 500)
  })
})
