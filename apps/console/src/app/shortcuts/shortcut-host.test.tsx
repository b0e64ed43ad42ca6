import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import { ShortcutHost } from './shortcut-host.tsx'

function Page() {
  return (
    <>
      <input aria-label="note" />
      <ShortcutHost />
    </>
  )
}

function open(role: number) {
  rememberUser(aUser({ role }))
  return renderScreen(Page, { at: '/start' })
}
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key })
}

it('opens a page with g and a letter', async () => {
  const { address } = open(10)

  press('g', 'c')

  await waitFor(() => expect(address()).toBe('/admin/channels'))
})

it('does not open admin pages for users', () => {
  const { address } = open(1)

  press('g', 'c')

  expect(address()).toBe('/start')
})

it('ignores keys in fields', () => {
  const { address } = open(10)
  screen.getByLabelText('note').focus()

  press('g', 'c', '?')

  expect(address()).toBe('/start')
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('lists the shortcuts with ?', async () => {
  open(1)

  press('?')

  expect(await screen.findByRole('dialog', { name: '键盘快捷键' })).toBeTruthy()
  expect(screen.getByText('搜索列表')).toBeTruthy()
})
