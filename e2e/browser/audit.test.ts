import { api } from '@tidegate/contract'
import { SUPER_ADMIN } from '@tidegate/testing'
import { expect, it } from 'vitest'
import { consoleMenu, visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { rowWith } from './support/table.ts'
import { addMember, addUser } from './support/lists.ts'

const console = startConsole()

it('the audit trail names actor and subject, shows what changed, and is open to the super admin only', async () => {
  const { client } = console.site
  const admin = await addMember(console.site, 'audit-mate', { role: 10 })
  const mira = await addUser(console.site, 'audit-mira')
  await client.call(api.manageUser, { body: { id: mira, action: 'promote' } })
  const page = await console.admin({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
  await visit(page, '/app/tokens')
  await consoleMenu(page).getByRole('link', { name: 'Audit log' }).click()
  await page.waitForURL('**/admin/audit')
  const row = rowWith(page, `User #${mira}`).filter({ hasText: 'Made a user an admin' })
  await row.getByRole('link', { name: `User #${mira}` }).waitFor()
  await expect.poll(() => row.innerText()).toContain(SUPER_ADMIN.username)
  await expect.poll(() => row.innerText()).toContain('127.0.0.1')
  await row.getByRole('button').click()
  await expect.poll(() => page.getByRole('row', { name: /^Role/ }).innerText()).toMatch(/User\s+Admin/)
  await page.getByRole('button', { name: 'Copy request ID' }).waitFor()

  await page.getByRole('combobox', { name: 'Action', exact: true }).click()
  await page.getByTitle('All user actions').click()
  await expect.poll(() => currentPath(page)).toBe('/admin/audit?action=user')
  await page.getByRole('combobox', { name: 'User' }).fill('audit-mat')
  await page.getByTitle(`audit-mate #${admin.id}`).click()
  await row.waitFor({ state: 'detached' })
  await rowWith(page, 'Logged in').filter({ hasText: 'audit-mate' }).waitFor()
  await expect.poll(() => currentPath(page)).toBe(`/admin/audit?action=user&actor=${admin.id}`)
  await page.goBack()
  await row.waitFor()

  const forAdmin = await console.member(admin, { locale: 'en-US' })
  expect(await visit(forAdmin, '/admin/audit')).toBe('/admin/audit')
  await forAdmin.getByRole('heading', { name: "You don't have access to this page" }).waitFor()
})
