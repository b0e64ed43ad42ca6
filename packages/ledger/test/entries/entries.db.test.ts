import type { DatabaseHandle } from '@tidegate/storage'
import { afterAll, beforeAll, describe } from 'vitest'
import { racesSuite } from './races-suite.ts'
import { changesSuite } from './changes-suite.ts'
import { claimsSuite } from './claims-suite.ts'
import { CONCURRENCY } from './accounts.ts'
import { TEST_DATABASES } from './databases.ts'
import { tokenLimitsSuite } from './token-limits-suite.ts'

describe.each(TEST_DATABASES)('on $name', ({ open }) => {
  let handle: DatabaseHandle

  beforeAll(async () => {
    handle = await open(CONCURRENCY)
  })
  afterAll(() => handle.close())

  claimsSuite(() => handle.db)
  changesSuite(() => handle)
  racesSuite(() => handle.db)
  tokenLimitsSuite(() => handle.db)
})
