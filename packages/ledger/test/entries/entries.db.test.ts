import type { DatabaseHandle } from '@tidegate/storage'
import { afterAll, beforeAll, describe } from 'vitest'
import { racesSuite } from './races-suite.ts'
import { rulesOfChangesSuite } from './changes-suite.ts'
import { rulesOfClaimsSuite } from './claims-suite.ts'
import { AT_ONCE } from './accounts.ts'
import { TEST_DATABASES } from './databases.ts'
import { tokenLimitsSuite } from './token-limits-suite.ts'

describe.each(TEST_DATABASES)('on $name', ({ open }) => {
  let handle: DatabaseHandle

  beforeAll(async () => {
    handle = await open(AT_ONCE)
  })
  afterAll(() => handle.close())

  rulesOfClaimsSuite(() => handle.db)
  rulesOfChangesSuite(() => handle)
  racesSuite(() => handle.db)
  tokenLimitsSuite(() => handle.db)
})
