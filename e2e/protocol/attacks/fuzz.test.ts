import { describe, it } from 'vitest'
import { fuzzApi } from '../../proof/attacks/fuzz/fuzz-api.ts'
import { fuzzDataPlane } from '../../proof/attacks/fuzz/fuzz-data-plane.ts'
import { ROUTES } from '../../proof/attacks/routes.ts'
import { attackedSite, expectRefused, PATIENT } from './attacked-site.ts'

/** The same in every run: a test that fails does so again. `npm run proof:attacks` goes on from here. */
const SEED = 20_261_115
const site = attackedSite()

describe('hostile values in every place', PATIENT, () => {
  it('of the data plane never make it fail, tell of its insides or take long', async () => {
    expectRefused(await fuzzDataPlane(site(), { cases: 15, seed: SEED }), 15 * 18)
  })

  it('of every call of the contract never make it fail, tell of its insides or take long', async () => {
    expectRefused(await fuzzApi(site(), { cases: 3, seed: SEED }), ROUTES.length * 3)
  })
})
