import { afterAll, beforeAll } from 'vitest'
import { openSite, type Site } from './site.ts'

/** The site of the test file that runs. Starting one takes seconds, so the parts of a file share it. */
export let site: Site

export function useSite(): void {
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site?.close())
}
