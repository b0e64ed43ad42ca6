import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import type { PageOptions } from './browser.ts'
import { addOrdinaryUser, type Credentials, type Site } from './site.ts'
import type { Console } from './start-console.ts'

export const SECURITY = '/app/me?tab=security'

/** A page of a new user, logged in and at the security settings. */
export async function openSecurity(console: Console, username: string, options: PageOptions = {}): Promise<Member> {
  const user = await addOrdinaryUser(console.site, username)
  const page = await console.member(user, options)
  await page.goto(SECURITY)
  return { user, page }
}

export interface Member {
  user: Credentials
  page: Page
}

/** Makes the last login of a user older than re-authentication lasts. */
export async function expireReauthentication({ db }: Pick<Site, 'db'>, username: string): Promise<void> {
  await sql`
    update session set proved_at = now() - interval '11 minutes'
    where user_id = (select id from "user" where username = ${username})
  `.execute(db)
}

export const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })

export const field = (page: Page | Locator, label: string | RegExp) =>
  page.getByLabel(label, typeof label === 'string' ? { exact: true } : {})

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Confirms or cancels a confirmation dialog. */
export async function confirm(page: Page, text: string, response: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: text })
  await button(dialog, response).click()
  await dialog.waitFor({ state: 'hidden' })
}
