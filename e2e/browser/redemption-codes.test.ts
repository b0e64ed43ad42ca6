import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { expect, it } from 'vitest'
import {
  respond,
  chooseFrom,
  drawerOf,
  createRedemptionCodes,
  openRedemptionCodes,
  toastWith,
} from './support/lists.ts'
import { allowClipboard, clipboardText, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole({ verifiesLedger: true })

it('creates codes, exports them as text and as a file, edits one and deletes it', async () => {
  const page = await console.admin(ENGLISH)
  await allowClipboard(page)
  await openRedemptionCodes(page, '?keyword=Regatta')
  await page.getByRole('button', { name: 'Add codes' }).first().click()
  const drawer = drawerOf(page)
  await drawer.getByLabel('Name').fill('Regatta')
  await drawer.getByRole('button', { name: '$10', exact: true }).click()
  await drawer.getByLabel('Quantity').fill('3')
  await drawer.getByText('Pays out up to $30.00').waitFor()
  await drawer.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: 'Redemption codes created: 3' })
  await dialog.waitFor()
  const created = await storedCodes('Regatta')
  expect(created.map(({ quota }) => quota)).toEqual([5_000_000, 5_000_000, 5_000_000])
  const keys = created.map(({ key }) => key).toSorted()
  await dialog.getByRole('button', { name: 'Copy all' }).click()
  await expect.poll(async () => (await clipboardText(page)).split('\n').toSorted()).toEqual(keys)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download as text' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('Regatta.txt')
  expect((await readFile(await file.path(), 'utf8')).trim().split('\n').toSorted()).toEqual(keys)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect.poll(() => currentPath(page)).toBe('/admin/coupons?keyword=Regatta')
  await expect.poll(() => rowWith(page, 'Regatta').count()).toBe(3)

  await page
    .getByRole('button', { name: /^Edit Regatta/ })
    .first()
    .click()
  await drawer.getByLabel('Name').fill('Regatta two')
  await drawer.getByLabel('Value', { exact: true }).fill('1')
  await drawer.getByLabel('Expiry time').fill('2033-05-18 11:33:20')
  await drawer.getByLabel('Expiry time').press('Enter')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await toastWith(page, 'Redemption code updated').waitFor()
  const row = rowWith(page, 'Regatta two')
  await row.filter({ hasText: 'Until May 18, 2033, 11:33' }).waitFor()
  const until = await page.evaluate(() => new Date(2033, 4, 18, 11, 33, 20).getTime() / 1000)
  expect(await storedCodes('Regatta two')).toMatchObject([{ quota: 500_000, valid_until: until }])
  const more = row.getByRole('button', { name: /^More actions for Regatta two/ })
  await chooseFrom(more, 'Disable')
  await row.filter({ hasText: 'Disabled' }).waitFor()
  await chooseFrom(more, 'Delete')
  await page.getByText('This code is worth $1.00').waitFor()
  await respond(page, 'Delete')
  await row.waitFor({ state: 'detached' })
  expect(await storedCodes('Regatta')).toHaveLength(2)
})

it('selects codes across pages to copy and disable them, and deletes codes by name', async () => {
  const keys = await createRedemptionCodes(console.site, { name: 'Flotilla', count: 12 })
  await createRedemptionCodes(console.site, { name: 'Flotilla two' })
  const page = await console.admin(ENGLISH)
  await allowClipboard(page)
  await openRedemptionCodes(page, '?keyword=Flotilla&size=10')
  await page.getByText('1–10 of 13').waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('listitem', { name: '2', exact: true }).click()
  await page.getByText('11–13 of 13').waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByText('13 selected').waitFor()
  await page.getByRole('button', { name: 'Copy selected' }).click()
  const lines = async () => (await clipboardText(page)).split('\n').filter((line) => line.startsWith('Flotilla    '))
  await expect.poll(async () => (await lines()).toSorted()).toEqual(keys.map((key) => `Flotilla    ${key}`).toSorted())
  await page.getByRole('button', { name: 'Disable selected' }).click()
  await page.locator('.ant-modal-confirm-title').filter({ hasText: 'Disable selected codes (13)?' }).waitFor()
  await respond(page, 'Disable')
  await toastWith(page, 'Codes disabled: 13').waitFor()
  expect((await storedCodes('Flotilla')).map(({ status }) => status)).toEqual(Array(13).fill(2))

  await chooseFrom(page.getByRole('button', { name: 'Clean up' }), 'Delete by name')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Flotilla')
  await page.keyboard.press('Enter')
  await dialog.getByText('Codes named “Flotilla”: 12').waitFor()
  expect(await storedCodes('Flotilla')).toHaveLength(13)
  await dialog.getByRole('button', { name: 'Delete all (12)' }).click()

  await toastWith(page, 'Codes named “Flotilla” deleted: 12').waitFor()
  expect((await storedCodes('Flotilla')).map(({ name }) => name)).toEqual(['Flotilla two'])
})

/** The codes with a name that starts with this text, newest first. */
async function storedCodes(name: string): Promise<api.Redemption[]> {
  const query = { keyword: name, page_size: 100 }
  return (await console.site.client.call(api.searchRedemptions, { query })).items
}
