import { afterAll, beforeAll } from 'vitest'
import { sharedSite } from '../shared-site.ts'
import { openSite, type Site } from './site.ts'

/** The site of the test file that runs. */
export let site: Site

export function useSite(): void {
  const shared = sharedSite()
  beforeAll(async () => {
    site = await openSite(shared)
  })
  afterAll(() => site?.close())
}
